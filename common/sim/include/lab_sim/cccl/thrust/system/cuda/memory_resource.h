#pragma once

#include <thrust/system/cpp/memory_resource.h>
