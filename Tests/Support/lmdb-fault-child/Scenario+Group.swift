import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process of another user, in a group.
extension Scenario {
  /// Becomes a user in a group, opens the store, adds a key and says what is there; `compacts` compacts it too.
  func asMember() throws {
    let numbers = arguments.compactMap { UInt32($0) }
    guard numbers.count >= 2 else { exit(64) }
    var groups = [numbers[1]]
    guard setgroups(1, &groups) == 0, setgid(numbers[0]) == 0, setuid(numbers[0]) == 0 else { exit(73) }
    umask(0o022)
    var options = EnvironmentOptions()
    options.mapSize = 1 << 20
    options.allowsGroupWritableDirectory = arguments.contains("allows")
    do {
      let environment = try Environment.open(directory: directory, options: options)
      guard let items = try environment.openDatabases(["items"], create: true)[0] else { exit(65) }
      try put(environment, items, "user\(numbers[0])")
      if arguments.contains("compacts") { _ = try environment.compact() }
      say("keys \(try keys(environment, items).joined(separator: ","))")
      environment.close()
    } catch let error as LMDBError {
      say("\(error.code.rawValue) \(error.detail ?? "")")
    }
  }
}
