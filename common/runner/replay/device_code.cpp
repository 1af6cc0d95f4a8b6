#include "runner/replay/device_code.hpp"

#include <fstream>
#include <iterator>

#include "runner/replay/cuda_driver.hpp"

namespace lab::runner {

namespace {

std::vector<char> read_cubin(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::vector<char> cubin{std::istreambuf_iterator<char>{file}, {}};
  if (cubin.empty()) throw driver_error("cannot read the device code in " + path);
  return cubin;
}

void add_attributes(const replay::operation& op, std::vector<CUlaunchAttribute>& attributes) {
  const auto add = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    attributes.push_back({});
    attributes.back().id = id;
    return attributes.back().value;
  };
  if (op.cluster.x > 0) {
    auto& cluster = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
    cluster.x = op.cluster.x;
    cluster.y = op.cluster.y;
    cluster.z = op.cluster.z;
  }
  if (op.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (op.programmatic)
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
}

}  // namespace

device_code::device_code(const std::string& path) {
  const auto cubin = read_cubin(path);
  LAB_DRIVER("the device code", cuModuleLoadData, &module_, cubin.data());
}

device_code::~device_code() { driver_function<decltype(cuModuleUnload)>("cuModuleUnload")(module_); }

device_code::kernel device_code::find(const std::string& name) const {
  kernel found{.name = name};
  LAB_DRIVER(name, cuModuleGetFunction, &found.function, module_, name.c_str());
  const auto parameter_info = driver_function<decltype(cuFuncGetParamInfo)>("cuFuncGetParamInfo");
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; parameter_info(found.function, i, &offset, &size) == CUDA_SUCCESS; ++i) {
    found.offsets.push_back(offset);
    found.parameter_bytes = offset + size;
  }
  return found;
}

std::byte* device_code::global(const std::string& name, std::uint64_t bytes) const {
  CUdeviceptr address = 0;
  std::size_t size = 0;
  LAB_DRIVER(name, cuModuleGetGlobal, &address, &size, module_, name.c_str());
  if (bytes > size) throw driver_error("the recording accesses memory past the end of " + name);
  return reinterpret_cast<std::byte*>(address);
}

void set_attribute(const device_code::kernel& kernel, std::uint32_t which, std::uint64_t value) {
  LAB_DRIVER(kernel.name, cuFuncSetAttribute, kernel.function, static_cast<CUfunction_attribute>(which),
             static_cast<int>(value));
}

void launch(const device_code::kernel& kernel, const replay::operation& op, std::byte* parameters, CUstream stream) {
  if (op.bytes != kernel.parameter_bytes)
    throw driver_error("the recording and the device code differ in the parameters of " + kernel.name);
  std::vector<void*> values;
  for (const auto offset : kernel.offsets) values.push_back(parameters + offset);
  std::vector<CUlaunchAttribute> attributes;
  add_attributes(op, attributes);
  CUlaunchConfig config{};
  config.gridDimX = op.grid.x;
  config.gridDimY = op.grid.y;
  config.gridDimZ = op.grid.z;
  config.blockDimX = op.block.x;
  config.blockDimY = op.block.y;
  config.blockDimZ = op.block.z;
  config.sharedMemBytes = op.shared;
  config.hStream = stream;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  LAB_DRIVER(kernel.name, cuLaunchKernelEx, &config, kernel.function, values.data(), nullptr);
}

}  // namespace lab::runner
