#include "runner/replay/device_code.hpp"

#include <fstream>
#include <iterator>

#include "runner/replay/driver.hpp"

namespace lab::runner {

namespace {

std::vector<char> contents(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::vector<char> all{std::istreambuf_iterator<char>{file}, {}};
  if (all.empty()) throw driver_error("cannot read the device code in " + path);
  return all;
}

void add_attributes(const replay::operation& o, std::vector<CUlaunchAttribute>& all) {
  const auto add = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    all.push_back({});
    all.back().id = id;
    return all.back().value;
  };
  if (o.cluster.x > 0) {
    auto& cluster = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
    cluster.x = o.cluster.x;
    cluster.y = o.cluster.y;
    cluster.z = o.cluster.z;
  }
  if (o.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (o.programmatic)
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
}

}  // namespace

device_code::device_code(const std::string& path) {
  const auto image = contents(path);
  LAB_DRIVER("the device code", cuModuleLoadData, &module_, image.data());
}

device_code::~device_code() { driver_function<decltype(cuModuleUnload)>("cuModuleUnload")(module_); }

device_code::kernel device_code::find(const std::string& name) const {
  kernel k{.name = name};
  LAB_DRIVER(name, cuModuleGetFunction, &k.function, module_, name.c_str());
  const auto ask = driver_function<decltype(cuFuncGetParamInfo)>("cuFuncGetParamInfo");
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; ask(k.function, i, &offset, &size) == CUDA_SUCCESS; ++i) {
    k.offsets.push_back(offset);
    k.parameter_bytes = offset + size;
  }
  return k;
}

std::byte* device_code::global(const std::string& name, std::uint64_t bytes) const {
  CUdeviceptr at = 0;
  std::size_t size = 0;
  LAB_DRIVER(name, cuModuleGetGlobal, &at, &size, module_, name.c_str());
  if (bytes > size) throw driver_error("the tape goes past the end of " + name);
  return reinterpret_cast<std::byte*>(at);
}

void set_attribute(const device_code::kernel& k, std::uint32_t which, std::uint64_t value) {
  LAB_DRIVER(k.name, cuFuncSetAttribute, k.function, static_cast<CUfunction_attribute>(which), static_cast<int>(value));
}

void launch(const device_code::kernel& k, const replay::operation& o, std::byte* parameters, CUstream stream) {
  if (o.bytes != k.parameter_bytes) throw driver_error("the tape has other parameters than " + k.name);
  std::vector<void*> values;
  for (const auto offset : k.offsets) values.push_back(parameters + offset);
  std::vector<CUlaunchAttribute> attributes;
  add_attributes(o, attributes);
  CUlaunchConfig c{};
  c.gridDimX = o.grid.x;
  c.gridDimY = o.grid.y;
  c.gridDimZ = o.grid.z;
  c.blockDimX = o.block.x;
  c.blockDimY = o.block.y;
  c.blockDimZ = o.block.z;
  c.sharedMemBytes = o.shared;
  c.hStream = stream;
  c.attrs = attributes.data();
  c.numAttrs = static_cast<unsigned>(attributes.size());
  LAB_DRIVER(k.name, cuLaunchKernelEx, &c, k.function, values.data(), nullptr);
}

}  // namespace lab::runner
