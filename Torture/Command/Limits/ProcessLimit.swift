import FiefTorture
import Foundation

/// A limit of this process, which can be lifted again.
enum ProcessLimit {
  case descriptors, addressSpace, data, fileSize

  private var resource: __rlimit_resource_t {
    switch self {
    case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
    case .data: __rlimit_resource_t(RLIMIT_DATA.rawValue)
    case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    }
  }

  /// Sets the limit; nil lifts it.
  func set(_ value: Int?) throws {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw BrokenTest("getrlimit: errno \(errno)") }
    limit.rlim_cur = value.map { min(rlim_t($0), limit.rlim_max) } ?? limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { throw BrokenTest("setrlimit: errno \(errno)") }
  }

  /// A number of `/proc/self/status`, in bytes.
  static func used(_ field: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    return number << 10
  }
}
