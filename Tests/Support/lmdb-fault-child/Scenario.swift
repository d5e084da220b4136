import LMDB
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The work of the child on a store, apart from damaging it.
struct Scenario {
  var directory: String
  var arguments: [String]

  func open() throws -> (Environment, Database) {
    var options = EnvironmentOptions()
    options.mapSize = 1 << 20
    options.growthTimeout = .milliseconds(200)
    let environment = try Environment.open(directory: directory, options: options)
    guard let items = try environment.openDatabases(["items"], create: true)[0] else { exit(65) }
    return (environment, items)
  }

  /// Reads until it is killed.
  func holdReader() throws {
    let (environment, _) = try open()
    let reader = try environment.beginRead()
    say("reading \(reader.id)")
    while true { sleep(60) }
  }

  /// Writes until it is killed; says each number after its commit.
  func writeForever() throws {
    let (environment, items) = try open()
    var number = 0
    while true {
      try environment.write { transaction in
        for part in 0..<20 {
          try withBytes("\(number)/\(part)") { key in
            try withBytes(String(repeating: "\(number) ", count: 100)) { value in
              try transaction.put(items, key, value)
            }
          }
        }
      }
      say("\(number)")
      number += 1
    }
  }

  /// Makes so many commits with so many microseconds between them; says the number of the last one.
  func commit() throws {
    let (environment, items) = try open()
    let count = arguments.first.flatMap { Int($0) } ?? 1
    let pause = arguments.dropFirst().first.flatMap { UInt32($0) } ?? 0
    var last: UInt64 = 0
    for number in 0..<count {
      try environment.write { transaction in
        try withBytes("committed") { key in
          try withBytes("\(getpid()) \(number)") { try transaction.put(items, key, $0) }
        }
        last = transaction.id
      }
      if pause > 0 { usleep(pause) }
    }
    say("\(last)")
    environment.close()
  }

  /// Writes so many kilobytes, which makes the map grow.
  func grow() throws {
    let (environment, items) = try open()
    let kilobytes = arguments.first.flatMap { Int($0) } ?? 0
    let value = [UInt8](repeating: 7, count: 1024)
    try environment.write { transaction in
      for index in 0..<kilobytes {
        try withBytes("grown\(index)") { key in
          try value.withUnsafeBytes { try transaction.put(items, key, $0) }
        }
      }
    }
    say("map \(try environment.statistics().mapSize)")
    environment.close()
  }

  func createDatabase() throws {
    let (environment, _) = try open()
    let name = arguments.first ?? "other"
    guard let database = try environment.openDatabases([name], create: true)[0] else { exit(65) }
    try environment.write { transaction in
      try withBytes("key") { key in try withBytes("value") { try transaction.put(database, key, $0) } }
    }
    environment.close()
    say("created")
  }

  /// Grows until the system grants no more address space.
  func noAddressSpace() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    #if os(Linux)
      // The limit counts what is mapped already, which a sanitizer makes very much.
      var limit = rlimit(rlim_cur: rlim_t(mappedBytes() + (96 << 20)), rlim_max: rlim_t.max)
      guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(70) }
    #endif
    let value = [UInt8](repeating: 7, count: 1 << 20)
    say(
      "growing "
        + code {
          for index in 0..<300 {
            try environment.write { transaction in
              try withBytes("big\(index)") { key in
                try value.withUnsafeBytes { try transaction.put(items, key, $0) }
              }
            }
          }
        }
    )
    say("small \(code { try put(environment, items, "b") })")
    let found = try keys(environment, items)
    say("kept \(found.first ?? "") \(found.contains("big10"))")
    environment.close()
  }

  private func mappedBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (text.split(separator: " ").first.flatMap { Int($0) } ?? 0) * 4096
  }

  func remote() throws {
    faults_arm(FAULT_REMOTE)
    var options = EnvironmentOptions()
    say("refused \(code { _ = try Environment.open(directory: directory, options: options) })")
    options.allowsRemoteFileSystem = true
    say("overridden \(code { try Environment.open(directory: directory, options: options).close() })")
  }
}

extension Scenario {
  /// Uses an environment of the parent in a forked child, and opens the store again there.
  func fork() throws {
    let (environment, items) = try open()
    let reader = try environment.beginRead()
    final class Context {
      let environment: Environment
      let items: Database
      let reader: ReadTransaction
      let directory: String
      init(_ environment: Environment, _ items: Database, _ reader: ReadTransaction, _ directory: String) {
        self.environment = environment
        self.items = items
        self.reader = reader
        self.directory = directory
      }
    }
    let context = Context(environment, items, reader, directory)
    let status = faults_fork(
      { context in
        // SAFETY: the parent keeps the object alive until its child has ended.
        guard let context else { return 99 }
        let it = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        guard code({ _ = try it.environment.beginRead() }) == "forkedProcess" else { return 1 }
        guard code({ try it.environment.write { _ in } }) == "forkedProcess" else { return 2 }
        guard code({ _ = try it.environment.statistics() }) == "forkedProcess" else { return 3 }
        it.environment.endRead(it.reader)
        it.environment.close()
        guard let own = try? Environment.open(directory: it.directory, options: EnvironmentOptions()),
          own !== it.environment
        else { return 4 }
        guard code({ try own.read { transaction in _ = transaction.id } }) == "none" else { return 5 }
        own.close()
        return 0
      },
      Unmanaged.passUnretained(context).toOpaque()
    )
    say("child \(status)")
    // The parent's own snapshot has outlived the child.
    say("parent \(code { _ = try reader.count(items) })")
    environment.endRead(reader)
    say("write \(code { try put(environment, items, "after") })")
    environment.close()
  }

  func put(_ environment: Environment, _ items: Database, _ key: String) throws {
    try environment.write { transaction in
      try withBytes(key) { key in try withBytes("value") { try transaction.put(items, key, $0) } }
    }
  }

  func keys(_ environment: Environment, _ items: Database) throws -> [String] {
    try environment.read { transaction in
      let cursor = try transaction.cursor(items)
      var keys: [String] = []
      while try cursor.next() { keys.append(String(decoding: cursor.key, as: UTF8.self)) }
      return keys
    }
  }

  /// Commits once before a failure, once into it, and once after it.
  func failingWrite(_ fault: fault) throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    faults_arm(fault)
    say("failing \(code { try put(environment, items, "b") })")
    say("synchronised \(faults_syncs() > 0)")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    say("next \(code { try put(environment, items, "c") })")
    environment.close()
    let (again, same) = try open()
    say("reopened \(try keys(again, same).joined(separator: ","))")
    again.close()
  }

  /// A meta page whose write fails, with no commit after it.
  func failingLastWrite() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    faults_arm(FAULT_META)
    say("failing \(code { try put(environment, items, "b") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }

  /// A meta page whose write fails, and a device that does not synchronise anything after that.
  func failingSynchronisation(_ fault: fault) throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    faults_arm(fault)
    say("failing \(code { try put(environment, items, "b") })")
    say("read \(code { _ = try environment.read { $0.id } })")
    say("write \(code { try put(environment, items, "c") })")
    faults_arm(FAULT_NONE)
    say("next \(code { try put(environment, items, "c") })")
    say("synchronised \(faults_syncs() > 1)")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
    let (again, same) = try open()
    say("reopened \(try keys(again, same).joined(separator: ","))")
    again.close()
  }

  /// A synchronisation of earlier commits that fails inside of a write.
  func failingInside() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    let failed = code {
      try environment.write { transaction in
        try withBytes("b") { try transaction.put(items, $0, $0) }
        faults_arm(FAULT_SYNC)
        try transaction.synchroniseEarlierCommits()
      }
    }
    say("failing \(failed)")
    say("next \(code { try put(environment, items, "c") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }

  /// A commit before a failure, and one that fails.
  func failingOnce(_ fault: fault) throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    faults_arm(fault)
    say("failing \(code { try put(environment, items, "b") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }

  /// A device that stays broken while the store is written, read and closed, and recovers then.
  func failingDevice() throws {
    let (environment, items) = try open()
    try put(environment, items, "a")
    let reader = try environment.beginRead()
    faults_arm(FAULT_DEVICE)
    // The reader keeps the store from being reopened: it stays poisoned.
    say("blocked \(code { try put(environment, items, "b") })")
    say("read \(code { _ = try environment.read { $0.id } })")
    say("write \(code { try put(environment, items, "b") })")
    say("old reader \(try reader.count(items))")
    environment.endRead(reader)
    say("failing \(code { try put(environment, items, "b") })")
    faults_arm(FAULT_NONE)
    say("recovered \(code { try put(environment, items, "c") })")
    say("keys \(try keys(environment, items).joined(separator: ","))")
    environment.close()
  }
}
