// Words by which tools add springs, rotors, drag and loops to robot files: what they name changes the motion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class TiXmlDocument;
class TiXmlElement;

namespace mbsbench {

// Without case, '_' and '-': "springStiffness", "spring_stiffness" and "spring-stiffness" are one word.
std::string PlainWord(std::string_view word);

// Both take plain words.
bool NamesAProperty(std::string_view word);  // such as a stiffness: changes nothing if it is 0
bool NamesAnElement(std::string_view word);  // such as a loop: acts as soon as it is there

// What stands between blanks.
std::vector<std::string> SplitAtBlanks(std::string_view text);
// The finite decimal number that a text is, as a whole; empty: it is none.
std::optional<double> DecimalNumber(std::string_view text);

// "0", "0 0 0", "false" or "auto"; "1" or "true". An empty value is neither.
bool IsZeroOrFalse(std::string_view value);
bool HoldsOnlyZeros(const TiXmlElement& element);  // such values, at least one, but for names
bool IsOneOrTrue(std::string_view value);

// What a plug-in of Gazebo does to the motion without any command, by its names: "forces of a fluid"; empty: nothing
// is known.
inline constexpr char kCoupledCoordinates[] = "coupled coordinates";
std::string EffectOfPlugin(std::string_view names);
// Whether a plug-in only measures, draws or listens.
bool IsHarmlessPlugin(std::string_view names);

// Whether an element or a text stands beside the first element of a file, which is then no XML.
bool HasMoreThanOneRoot(const TiXmlDocument& xml);

}  // namespace mbsbench
