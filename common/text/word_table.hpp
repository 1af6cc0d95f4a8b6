#pragma once

// For an enumeration whose words stand in one table, `#define COLOURS(COLOUR) COLOUR(red) COLOUR(green)`:
//   enum class colour { COLOURS(LAB_ENUMERATOR) };
//   constexpr std::string_view colour_words[] = {COLOURS(LAB_WORD)};
#define LAB_ENUMERATOR(word) word,
#define LAB_WORD(word) #word,
