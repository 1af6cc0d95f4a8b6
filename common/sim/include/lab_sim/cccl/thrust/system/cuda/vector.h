#pragma once

#include <thrust/system/cpp/vector.h>
