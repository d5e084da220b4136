#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whether the tests run under the address sanitizer, whose shadow memory a limit of the address space
/// takes away.
enum AddressSanitizer {
  static var isLoaded: Bool {
    guard let program = dlopen(nil, RTLD_LAZY) else { return false }
    defer { dlclose(program) }
    return dlsym(program, "__asan_init") != nil
  }
}
