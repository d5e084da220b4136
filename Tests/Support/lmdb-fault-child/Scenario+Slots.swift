import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that use up the places of readers.
extension Scenario {
  private func numbers() -> (readers: Int, places: Int) {
    let numbers = arguments.compactMap { Int($0) }
    return (numbers.first ?? 1, numbers.dropFirst().first ?? 510)
  }

  /// Begins some reads, of a limited number of places, and holds them until it is killed.
  func holdSlots() throws {
    var options = EnvironmentOptions()
    options.maxReaders = numbers().places
    let environment = try Environment.open(directory: directory, options: options)
    let readers = try (0..<numbers().readers).map { _ in try environment.beginRead() }
    say("holding \(readers.count)")
    while true { sleep(60) }
  }

  /// Opens the store for reading only, reads in so many transactions at once, and says what it has found.
  func readOnly() throws {
    var options = EnvironmentOptions()
    options.isReadOnly = true
    options.maxReaders = numbers().places
    let environment: Environment
    do { environment = try Environment.open(directory: directory, options: options) } catch {
      return say("opening \(error.code.rawValue)")
    }
    let failure = code {
      let found = try environment.openDatabases(["items", "missing"], create: false)
      guard let items = found[0], found[1] == nil else { return say("no database") }
      let readers = try (0..<numbers().readers).map { _ in try environment.beginRead() }
      for reader in readers {
        guard try reader.count(items) > 0, try reader.databaseNames() == ["items"] else {
          return say("wrong")
        }
      }
      say("read \(readers.count)")
      for reader in readers { environment.endRead(reader) }
    }
    if failure != "none" { say("failed \(failure)") }
    environment.close()
  }

  /// Reads a store without a lock table in a directory that this user may not write to.
  func readOnlyDirectory() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    environment.close()
    guard unlink(directory + "/lock.mdb") == 0 else { exit(70) }
    if geteuid() == 0 {
      // Everything is writable to the superuser.
      for file in ["", "/data.mdb", "/store.manifest"] where chown(directory + file, 65534, 65534) != 0 {
        exit(71)
      }
      guard seteuid(65534) == 0 else { exit(72) }
    }
    guard chmod(directory, 0o500) == 0 else { exit(73) }
    defer { chmod(directory, 0o700) }
    var options = EnvironmentOptions()
    say("writing \(code { try Environment.open(directory: directory, options: options).close() })")
    options.isReadOnly = true
    let reader = try Environment.open(directory: directory, options: options)
    guard let same = try reader.openDatabase(named: "items") else { exit(74) }
    say("reading \(try keys(reader, same).joined(separator: ",")) \(reader.isReadWithoutLocks)")
    reader.close()
  }
}
