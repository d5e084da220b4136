import LMDB
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The work of another process while the file of a store is exchanged.
extension Scenario {
  /// Opens the store, which may have to wait, says what is under `key`, writes under `child`, and closes it.
  func openOnce() throws {
    say("opening")
    let (environment, items) = try open()
    let found = try environment.read { transaction in
      try withBytes("key") { key in
        try transaction.get(items, key).map { String(decoding: $0, as: UTF8.self) }
      }
    }
    try environment.write { transaction in
      try withBytes("child") { key in try withBytes("was here") { try transaction.put(items, key, $0) } }
    }
    environment.close()
    say("found \(found ?? "nothing")")
  }

  /// Compacts where directories cannot be synchronised, and writes then.
  func compactUnsynchronised() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    faults_arm(FAULT_DIRECTORY)
    say("compact \(code { _ = try environment.compact() })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    say("write \(code { try put(environment, items, "b") })")
    faults_arm(FAULT_NONE)
    say("next \(code { try put(environment, items, "c") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }

  /// Puts a copy in the place of the file that cannot be opened then, reads and writes.
  func rewriteUnopened() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    let rewrite = code {
      _ = try environment.rewrite(sealedBy: nil) { copy in
        guard let items = try copy.database(named: "items") else { exit(65) }
        try withBytes("copied") { key in try withBytes("here") { try copy.put(items, key, $0) } }
        faults_arm(FAULT_OPENING)
      }
    }
    say("rewrite \(rewrite)")
    say("read \(code { _ = try keys(environment, items) })")
    say("write \(code { try put(environment, items, "b") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }

  /// Lets a store and a copy of it change places where directories cannot be synchronised.
  func swapUnsynchronised() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    let copy = directory + "-copy"
    faults_arm(FAULT_DIRECTORY)
    say("copy \(code { try environment.copy(to: copy) })")
    try put(environment, items, "b")
    environment.close()
    say("swap \(code { _ = try StoreExchange.swapData(of: directory, withCopyIn: copy) })")
    say("publish \(code { try StoreExchange.publish(directory: copy, as: copy + "-named") })")
    for path in [directory, copy + "-named"] {
      let environment = try Environment.open(directory: path, options: EnvironmentOptions())
      guard let items = try environment.openDatabases(["items"], create: true)[0] else { exit(65) }
      say("keys \(try keys(environment, items).joined(separator: ","))")
      environment.close()
    }
  }

  /// Holds the lock that LMDB takes with the number of another process, as a process of that number would in another
  /// container, until it is killed.
  func holdNumber() throws {
    let (environment, _) = try open()
    environment.close()
    let file = systemOpen(directory + "/lock.mdb", O_RDWR)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(arguments.first.flatMap { Int($0) } ?? 0)
    range.l_len = 1
    guard file >= 0, fcntl(file, F_SETLK, &range) == 0 else { exit(71) }
    say("holding")
    while true { sleep(60) }
  }
}
