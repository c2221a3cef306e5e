#pragma once
// device_vector and host_vector with Thrust's interface. A device_vector's memory comes from cudaMalloc, so the access
// checks know it.

#include <initializer_list>
#include <memory>
#include <vector>

#include "harness/simt/cuda_api/memory.hpp"
#include "harness/simt/cuda_api/thrust_iterators.hpp"

namespace thrust {

template <class T, class = void>
class host_vector;

template <class T, class = void>
class device_vector {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = T const&;
    using pointer = device_ptr<T>;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<T const>;

    device_vector() = default;
    explicit device_vector(std::size_t count, T const& value = T{}) { assign(count, value); }
    template <class It>
    requires(!std::is_integral_v<It>) device_vector(It first, It last) { assign(first, last); }
    device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    device_vector(device_vector const& other) { assign(other.begin(), other.end()); }
    device_vector(device_vector&& other) noexcept { swap(other); }
    template <class U>
    device_vector(host_vector<U> const& other) {
        assign(other.begin(), other.end());
    }
    template <class U>
    device_vector(std::vector<U> const& other) {
        assign(other.begin(), other.end());
    }
    ~device_vector() { deallocate(); }
    device_vector& operator=(device_vector const& other) {
        if (this != &other) {
            assign(other.begin(), other.end());
        }
        return *this;
    }
    device_vector& operator=(device_vector&& other) noexcept {
        swap(other);
        return *this;
    }
    template <class Other>
    requires(!std::is_same_v<Other, device_vector>) device_vector& operator=(Other const& other) {
        assign(other.begin(), other.end());
        return *this;
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    device_ptr<T> data() { return device_ptr<T>(data_); }
    device_ptr<T const> data() const { return device_ptr<T const>(data_); }
    iterator begin() { return iterator(data_); }
    iterator end() { return begin() + static_cast<std::ptrdiff_t>(size_); }
    const_iterator begin() const { return const_iterator(data_); }
    const_iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    T& operator[](std::size_t i) { return data_[i]; }
    T const& operator[](std::size_t i) const { return data_[i]; }
    T& front() { return data_[0]; }
    T& back() { return data_[size_ - 1]; }

    void resize(std::size_t count, T const& value = T{}) {
        reserve(count);
        if (count > size_) {
            std::uninitialized_fill(data_ + size_, data_ + count, value);
            thrust::note_written(data_ + size_, data_ + count);
        }
        size_ = count;
    }
    void reserve(std::size_t count) {
        if (count <= capacity_) {
            return;
        }
        T* wider = nullptr;
        if (cudaMalloc(&wider, count * sizeof(T)) != cudaSuccess) {
            throw std::bad_alloc();
        }
        lockstep::simt::hooks::note_opened(wider);  // this class runs on the host
        std::uninitialized_copy(data_, data_ + size_, wider);
        thrust::note_written(wider, wider + size_);
        cudaFree(data_);
        data_ = wider;
        capacity_ = count;
    }
    void push_back(T const& value) {
        if (size_ == capacity_) {
            reserve(size_ == 0 ? 16 : 2 * size_);
        }
        resize(size_ + 1, value);
    }
    void clear() { size_ = 0; }
    void shrink_to_fit() {}
    void assign(std::size_t count, T const& value) {
        clear();
        resize(count, value);
    }
    template <class It>
    requires(!std::is_integral_v<It>) void assign(It first, It last) {
        std::vector<T> const values(first, last);  // the range may be ours
        clear();
        reserve(values.size());
        std::uninitialized_copy(values.begin(), values.end(), data_);
        size_ = values.size();
        thrust::note_written(data_, data_ + size_);
    }
    iterator erase(iterator first, iterator last) {
        std::move(last, end(), first);
        size_ -= static_cast<std::size_t>(last - first);
        return first;
    }
    void swap(device_vector& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    friend bool operator==(device_vector const& a, device_vector const& b) {
        return a.size() == b.size() && std::equal(a.data_, a.data_ + a.size_, b.data_);
    }

private:
    void deallocate() {
        cudaFree(data_);
        data_ = nullptr;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

template <class T, class>
class host_vector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(device_vector<T> const& other) : std::vector<T>(other.begin(), other.end()) {}
    host_vector(std::vector<T> const& other) : std::vector<T>(other) {}
    host_vector& operator=(device_vector<T> const& other) {
        this->assign(other.begin(), other.end());
        return *this;
    }
};

template <class T>
device_ptr<T> device_malloc(std::size_t count) {
    T* pointer = nullptr;
    cudaMalloc(&pointer, count * sizeof(T));
    return device_ptr<T>(pointer);
}
template <class T>
void device_free(device_ptr<T> pointer) {
    cudaFree(pointer.get());
}

}  // namespace thrust
