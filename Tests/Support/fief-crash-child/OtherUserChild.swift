import Fief
import FiefStress

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process of a user to whom a directory is closed.
enum OtherUserChild {
  /// Says what an unprivileged user meets.
  static func open(_ directory: String) {
    if geteuid() == 0 { setuid(65_534) }
    do { _ = try StressJointRepository("first", directory: directory).open() } catch {
      let error = error as? FiefError
      Child.say("\(error?.code.rawValue ?? "another") \(error?.message ?? "")\n")
    }
  }
}
