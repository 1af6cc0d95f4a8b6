#pragma once

// Debian 12 ships Catch2 2, later releases 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // as version 2 has it
#else
#include <catch2/catch.hpp>
#endif
