#include <vector>

#include "sim/libraries/cusparse/descriptions.hpp"
#include "sim/runtime/api/library_work.hpp"

// Products of a sparse matrix with a dense vector or matrix.

using namespace lab::sim::cusparse;
using lab::sim::library_call;

namespace {

std::int64_t index(const void* all, cusparseIndexType_t type, std::int64_t at) {
  return type == CUSPARSE_INDEX_64I ? static_cast<const std::int64_t*>(all)[at] : static_cast<const int*>(all)[at];
}

// Calls `use` with the row, the column and the value of every element.
template <class T, class Use>
void for_each(const cusparseSpMatDescr& a, Use use) {
  const std::int64_t base = a.base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
  const T* const values = static_cast<const T*>(a.values);
  const auto element = [&](std::int64_t row, std::int64_t at) {
    use(row, index(a.indices, a.index_type, at) - base, values[at]);
  };
  if (!a.by_offsets)
    for (std::int64_t at = 0; at < a.count; ++at) element(index(a.rows_at, a.rows_type, at) - base, at);
  else
    for (std::int64_t row = 0; row < a.rows; ++row)
      for (auto at = index(a.rows_at, a.rows_type, row) - base; at < index(a.rows_at, a.rows_type, row + 1) - base;
           ++at)
        element(row, at);
}

/// A dense matrix, by the distances of neighbors in a column and in a row.
template <class T>
struct dense {
  T* values;
  std::int64_t rows, columns, down, right;
  T& at(std::int64_t row, std::int64_t column) const { return values[row * down + column * right]; }
};

template <class T>
dense<T> view(const cusparseDnMatDescr& m, cusparseOperation_t op) {
  const bool by_columns = m.order == CUSPARSE_ORDER_COL;
  dense<T> d{static_cast<T*>(m.values), m.rows, m.columns, by_columns ? 1 : m.ld, by_columns ? m.ld : 1};
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? d : dense<T>{d.values, d.columns, d.rows, d.right, d.down};
}

template <class T>
void multiply(const cusparseSpMatDescr& a, bool transposed, T alpha, const dense<T>& b, T beta, const dense<T>& c) {
  for (std::int64_t j = 0; j < c.columns; ++j) {
    std::vector<T> sums(static_cast<std::size_t>(c.rows));
    for_each<T>(a, [&](std::int64_t row, std::int64_t column, T value) {
      sums[static_cast<std::size_t>(transposed ? column : row)] += value * b.at(transposed ? row : column, j);
    });
    for (std::int64_t i = 0; i < c.rows; ++i)
      c.at(i, j) = alpha * sums[static_cast<std::size_t>(i)] + (beta == 0 ? 0 : beta * c.at(i, j));
  }
}

struct operands {
  cusparseHandle_t handle;
  const void *alpha, *beta;
  cusparseConstSpMatDescr_t a;
  bool transposed;
  std::vector<lab::sim::library_memory> memory;
};

void add_sparse(operands& o) {
  const auto count = static_cast<std::size_t>(o.a->count);
  const std::size_t rows = o.a->by_offsets ? static_cast<std::size_t>(o.a->rows) + 1 : count;
  o.memory.push_back({o.a->rows_at, rows * bytes_of(o.a->rows_type), false});
  o.memory.push_back({o.a->indices, count * bytes_of(o.a->index_type), false});
  o.memory.push_back({o.a->values, count * bytes_of(o.a->type), false});
}

template <class T>
cusparseStatus_t perform(operands o, const library_call& call, const dense<T>& b, const dense<T>& c) {
  const auto rows = o.transposed ? o.a->columns : o.a->rows, columns = o.transposed ? o.a->rows : o.a->columns;
  if (b.rows != columns || c.rows != rows || b.columns != c.columns) return CUSPARSE_STATUS_INVALID_VALUE;
  const bool on_device = o.handle->pointers == CUSPARSE_POINTER_MODE_DEVICE;
  const auto* const alpha = static_cast<const T*>(o.alpha);
  const auto* const beta = static_cast<const T*>(o.beta);
  add_sparse(o);
  if (on_device) o.memory.push_back({alpha, sizeof(T), false}), o.memory.push_back({beta, sizeof(T), false});
  const T s = on_device ? T{} : *alpha, t = on_device ? T{} : *beta;
  const cusparseSpMatDescr a = *o.a;  // a description may change before a graph runs
  const bool transposed = o.transposed;
  const auto error = lab::sim::do_library_work(call, o.handle->stream, o.memory, [=] {
    multiply(a, transposed, on_device ? *alpha : s, b, on_device ? *beta : t, c);
  });
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t unsupported(const library_call& call, const char* what) {
  lab::sim::say_unsupported(call, what);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

}  // namespace

#define LAB_CALL \
  library_call { __func__, __builtin_return_address(0) }

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t* bytes) {
  if (!handle || !bytes) return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;  // a program may not expect 0
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
  return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void*) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!a || !x || !y || !alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  if (bytes_of(compute) == 0 || a->type != compute || x->type != compute || y->type != compute)
    return unsupported(LAB_CALL, "products of these types: all must be CUDA_R_32F, or all CUDA_R_64F");
  const auto size = [&](const cusparseDnVecDescr& v) { return static_cast<std::size_t>(v.size) * bytes_of(v.type); };
  const operands o{handle,
                   alpha,
                   beta,
                   a,
                   op != CUSPARSE_OPERATION_NON_TRANSPOSE,
                   {{x->values, size(*x), false}, {y->values, size(*y), true}}};
  const auto of = [](const cusparseDnVecDescr& v, auto* values) {
    return dense<std::remove_pointer_t<decltype(values)>>{values, v.size, 1, 1, v.size};
  };
  if (compute == CUDA_R_64F)
    return perform(o, LAB_CALL, of(*x, static_cast<double*>(x->values)), of(*y, static_cast<double*>(y->values)));
  return perform(o, LAB_CALL, of(*x, static_cast<float*>(x->values)), of(*y, static_cast<float*>(y->values)));
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t* bytes) {
  if (!handle || !bytes) return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t,
                              void*) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  if (bytes_of(compute) == 0 || a->type != compute || b->type != compute || c->type != compute)
    return unsupported(LAB_CALL, "products of these types: all must be CUDA_R_32F, or all CUDA_R_64F");
  operands o{handle, alpha, beta, a, opa != CUSPARSE_OPERATION_NON_TRANSPOSE, {}};
  const auto add = [&](const cusparseDnMatDescr& m, bool writes) {
    const bool by_columns = m.order == CUSPARSE_ORDER_COL;
    const auto length = static_cast<std::size_t>(by_columns ? m.rows : m.columns) * bytes_of(m.type);
    o.memory.push_back({m.values, length, writes, static_cast<std::size_t>(by_columns ? m.columns : m.rows),
                        static_cast<std::size_t>(m.ld) * bytes_of(m.type)});
  };
  add(*b, false);
  add(*c, true);
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (compute == CUDA_R_64F) return perform(o, LAB_CALL, view<double>(*b, opb), view<double>(*c, plain));
  return perform(o, LAB_CALL, view<float>(*b, opb), view<float>(*c, plain));
}
