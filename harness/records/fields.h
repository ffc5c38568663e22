// The fields of a record whose names in JSON, and in tables of the store, are those of its members.
#pragma once

#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

#define MBSBENCH_FIELD(unused, and_this, name) field(BOOST_PP_STRINGIZE(name), r.name);

#define MBSBENCH_FIELD_IF_ANY(unused, and_this, name) field.IfAny(BOOST_PP_STRINGIZE(name), r.name);

// MBSBENCH_FIELDS(time, bodies) in a struct states both for json_codec.h. They are always written, null where there is no
// value. What is written otherwise, or under another name, has a function `Fields` of its own.
#define MBSBENCH_FIELDS(...)                                                             \
  template <class Self, class Field>                                                     \
  static void Fields(Self& r, Field& field) {                                            \
    BOOST_PP_SEQ_FOR_EACH(MBSBENCH_FIELD, unused, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
  }

// The same for a struct of which older records lack some: absent where there is no value.
#define MBSBENCH_FIELDS_IF_ANY(...)                                                             \
  template <class Self, class Field>                                                            \
  static void Fields(Self& r, Field& field) {                                                   \
    BOOST_PP_SEQ_FOR_EACH(MBSBENCH_FIELD_IF_ANY, unused, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
  }
