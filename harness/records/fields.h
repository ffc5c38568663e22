// The fields of a record, and their names in JSON and in tables of the store: those of its members unless it says otherwise.
#pragma once

#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/control/iif.hpp>
#include <boost/preprocessor/punctuation/is_begin_parens.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/tuple/size.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>
#include <string>
#include <utility>

// One field: `time`, `(IfAny, time)` to call field.IfAny("time", r.time), or `(As, json, record)` to call field("json", r.record).
#define MBSBENCH_FIELD(unused, and_this, name) \
  BOOST_PP_IIF(BOOST_PP_IS_BEGIN_PARENS(name), MBSBENCH_FIELD_OF_KIND, MBSBENCH_PLAIN_FIELD)(name)
#define MBSBENCH_PLAIN_FIELD(name) field(BOOST_PP_STRINGIZE(name), r.name);
#define MBSBENCH_FIELD_OF_KIND(tuple) \
  BOOST_PP_CAT(MBSBENCH_FIELD_OF_, BOOST_PP_TUPLE_SIZE(tuple)) tuple
#define MBSBENCH_FIELD_OF_2(kind, name) field.kind(BOOST_PP_STRINGIZE(name), r.name);
#define MBSBENCH_FIELD_OF_3(as, name, member) field(BOOST_PP_STRINGIZE(name), r.member);

#define MBSBENCH_FIELD_IF_ANY(unused, and_this, name) field.IfAny(BOOST_PP_STRINGIZE(name), r.name);

// MBSBENCH_FIELDS(time, (TextOrNull, event)) in a struct states both for json_codec.h. A plain field is always written, null
// where it has no value; the codec explains the other kinds.
#define MBSBENCH_FIELDS(...)                                                             \
  template <class Self, class Field>                                                     \
  static void Fields(Self& r, Field& field) {                                            \
    BOOST_PP_SEQ_FOR_EACH(MBSBENCH_FIELD, unused, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
  }

// For a struct of which older records lack some fields. A field without a value is absent.
#define MBSBENCH_FIELDS_IF_ANY(...)                                                             \
  template <class Self, class Field>                                                            \
  static void Fields(Self& r, Field& field) {                                                   \
    BOOST_PP_SEQ_FOR_EACH(MBSBENCH_FIELD_IF_ANY, unused, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
  }

namespace mbsbench {

// Calls visit(name, value) for each field of a record, whatever its kind.
template <class Visit>
class EachField {
 public:
  explicit EachField(Visit visit) : visit_(std::move(visit)) {}
  template <class T>
  void operator()(const char* name, const T& value) {
    visit_(name, value);
  }
  template <class T>
  void IfAny(const char* name, const T& value) {
    visit_(name, value);
  }
  void TextOrNull(const char* name, const std::string& text) { visit_(name, text); }

 private:
  Visit visit_;
};
template <class Record, class Visit>
void ForEachField(const Record& record, Visit visit) {
  EachField each(std::move(visit));
  Record::Fields(record, each);
}

}  // namespace mbsbench
