import LMDB
import LMDBFaults
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Seals with one byte, and counts what it opens.
private final class CountingSealing: ValueSealing {
  let overhead = 1
  let openings = Atomic<Int>(0)
  /// Commits are not authenticated.
  let statedRows: RowSelection? = nil

  func authenticate(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer) {}

  func sealing(ofTree name: String) -> TreeSealing { .all }

  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    for index in 0..<value.count { sealed[index] = value[index] ^ 0x55 }
    sealed[value.count] = 0xAA
  }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    openings.add(1, ordering: .relaxed)
    for index in 0..<value.count { value[index] = sealed[index] ^ 0x55 }
    return sealed[value.count] == 0xAA
  }
}

/// Sealed trees in a process with little memory.
extension Scenario {
  private static let entries = 20_000

  /// Reads a sealed tree on a system that counts all writable memory, even if it is unused, until the system
  /// has no memory left.
  func sealedCounted() throws {
    let sealing = CountingSealing()
    let (environment, items) = try openSealed(sealing, mapSize: 16 << 30)
    #if os(Linux)
      // As with vm.overcommit_memory = 2, a region of the size of the map cannot be writable.
      limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), status("VmData") + (1 << 30))
    #endif
    faults_arm(FAULT_COUNTING)
    try scan(environment, items, sealing)
    try scan(environment, items, sealing)
    try put(environment, items, "changed")
    try scan(environment, items, sealing)
    environment.close()
    let (again, same) = try openSealed(sealing, mapSize: 16 << 30)
    guard let damaged = try again.openDatabases(["damaged"], create: true)[0] else { exit(65) }
    try again.write { transaction in
      try withBytes("key") { key in try withBytes("?") { try transaction.put(asInFile: damaged, key, $0) } }
    }
    faults_arm(FAULT_PROTECTING)
    let end = code {
      try again.read { transaction in
        let cursor = try transaction.cursor(same)
        say("without memory \(code { while try cursor.next() { _ = cursor.value } })")
        say("then \(code { _ = try withBytes("key") { try transaction.get(damaged, $0) } })")
      }
    }
    say("read \(end)")
    faults_arm(FAULT_COUNTING)
    try scan(again, same, sealing)
    again.close()
  }

  /// Reads a sealed tree where there is address space for the pages of the file only, and then for none.
  func sealedCrowded() throws {
    let sealing = CountingSealing()
    let (environment, items) = try openSealed(sealing, mapSize: 1 << 30)
    #if os(Linux)
      limit(__rlimit_resource_t(RLIMIT_AS.rawValue), status("VmSize") + (256 << 20))
    #endif
    try scan(environment, items, sealing)
    try scan(environment, items, sealing)
    // The file outgrows what the pages had room for.
    try fill(environment, items, from: Self.entries, count: 3 * Self.entries)
    try scan(environment, items, sealing)
    try scan(environment, items, sealing)
    environment.close()
    faults_arm(FAULT_MAPPING)
    let (again, same) = try openSealed(sealing, mapSize: 1 << 30)
    try scan(again, same, sealing)
    try scan(again, same, sealing)
    faults_arm(FAULT_NONE)
    again.onFailure { say("reported again \($0.code.rawValue)") }
    again.close()
  }

  /// Reads a value with a damaged length that leads out of the memory for opened pages, after the file has
  /// outgrown that memory.
  func sealedOutgrown() throws {
    let sealing = CountingSealing()
    let (environment, items) = try openSealed(sealing, mapSize: 1 << 30)
    guard let long = try environment.openDatabases(["long"], create: true)[0] else { exit(65) }
    try environment.write { transaction in
      try withBytes("key") { key in
        try withBytes(String(repeating: "x", count: 10_000)) { try transaction.put(long, key, $0) }
      }
    }
    #if os(Linux)
      limit(__rlimit_resource_t(RLIMIT_AS.rawValue), status("VmSize") + (256 << 20))
    #endif
    let end = code {
      try environment.read { transaction in
        let cursor = try transaction.cursor(items)
        guard try cursor.next() else { exit(65) }
        try fill(environment, items, from: Self.entries, count: 3 * Self.entries)
        lengthenLongValue()
        say("long \(code { _ = try withBytes("key") { try transaction.get(long, $0) } })")
      }
    }
    say("read \(end)")
    // The file is damaged.
    exit(0)
  }

  /// Has the only value with pages of its own end where the file ends.
  private func lengthenLongValue() {
    let size = 4096
    let file = systemOpen(directory + "/data.mdb", O_RDWR)
    guard file >= 0 else { exit(66) }
    let pages = Int(lseek(file, 0, SEEK_END)) / size
    var page = [UInt8](repeating: 0, count: size)
    func put(_ number: Int, at place: Int, of page: Int) {
      let bytes = withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
      guard pwrite(file, bytes, 4, off_t(page * size + place)) == 4 else { exit(66) }
    }
    func half(_ place: Int) -> Int { Int(page[place]) | Int(page[place + 1]) << 8 }
    for number in 2..<pages {
      guard pread(file, &page, size, off_t(number * size)) == size else { exit(66) }
      guard half(10) == 2, half(12) == 18, half(half(16) + 4) == 1 else { continue }
      let node = half(16)
      let first = half(node + 8 + half(node + 6))
      put(pages - first, at: 12, of: first)
      put((pages - first) * size - 16, at: node, of: number)
      return
    }
    exit(67)
  }

  private func openSealed(_ sealing: CountingSealing, mapSize: Int) throws -> (Environment, Database) {
    var options = EnvironmentOptions()
    options.mapSize = mapSize
    let environment = try Environment.open(directory: directory, options: options)
    environment.onFailure { say("reported \($0.code.rawValue)") }
    _ = try environment.seal(with: sealing)
    guard let items = try environment.openDatabases(["items"], create: true)[0] else { exit(65) }
    if try environment.read({ try $0.count(items) }) == 0 {
      try fill(environment, items, from: 0, count: Self.entries)
    }
    return (environment, items)
  }

  private func fill(_ environment: Environment, _ items: Database, from start: Int, count: Int) throws {
    let value = [UInt8](repeating: 7, count: 100)
    try environment.write { transaction in
      for index in start..<(start + count) {
        try withBytes("\(1_000_000 + index)") { key in
          try value.withUnsafeBytes { try transaction.put(items, key, $0) }
        }
      }
    }
  }

  /// Says how many values there are, whether all are right, and whether all of them had to be opened.
  private func scan(_ environment: Environment, _ items: Database, _ sealing: CountingSealing) throws {
    let before = sealing.openings.load(ordering: .relaxed)
    var (count, right) = (0, 0)
    try environment.read { transaction in
      let cursor = try transaction.cursor(items)
      while try cursor.next() {
        count += 1
        if cursor.value.count == 100, cursor.value.allSatisfy({ $0 == 7 }) { right += 1 }
      }
    }
    let opened = sealing.openings.load(ordering: .relaxed) - before
    say("scan \(count) \(right) \(opened >= count ? "all" : opened > 0 ? "some" : "none")")
  }

  #if os(Linux)
    private func limit(_ resource: __rlimit_resource_t, _ bytes: Int) {
      var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
      guard setrlimit(resource, &limit) == 0 else { exit(70) }
    }

    /// A number of `/proc/self/status`, in bytes.
    private func status(_ field: String) -> Int {
      guard let file = fopen("/proc/self/status", "r") else { exit(71) }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let words = text.split { $0 == " " || $0 == "\t" || $0 == ":" }
        if words.first.map(String.init) == field, words.count > 1 { return (Int(words[1]) ?? 0) << 10 }
      }
      exit(72)
    }
  #endif
}

/// Growth that the system refuses.
extension Scenario {
  /// Commits until the map is to grow ahead, which the system refuses after LMDB has given up its map.
  ///
  /// - Parameter isLost: whether the store cannot be opened again then.
  func refusedGrowth(isLost: Bool) throws {
    let (environment, items) = try open()
    environment.onFailure { say("reported \($0.code.rawValue)") }
    try put(environment, items, "first")
    faults_arm(isLost ? FAULT_RESIZING_LOST : FAULT_RESIZING)
    let value = [UInt8](repeating: 7, count: 20_000)
    var commits = 0
    while faults_resizes() == 0, commits < 100 {
      let code = code {
        try environment.write { transaction in
          try withBytes("big\(commits)") { key in
            try value.withUnsafeBytes { try transaction.put(items, key, $0) }
          }
        }
      }
      if code != "none" { say("commit \(code)") }
      commits += 1
    }
    say("grown \(faults_resizes()) \(commits < 100)")
    say("read \(code { _ = try keys(environment, items) })")
    say("write \(code { try put(environment, items, "last") })")
    let found = try keys(environment, items)
    say("kept \(found.count == commits + 2)")
    environment.close()
  }
}
