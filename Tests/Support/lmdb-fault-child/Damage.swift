import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Flips bits of a store's data file, opens each result and reads all of it.
///
/// Every value names its key and has a checksum over both, as the records of the layer above do. So a
/// flip is harmless, or an error on opening or reading, or found by a checksum; anything else is wrong.
struct Damage {
  enum Place: String { case anywhere, header, meta, everyMetaBit }

  let directory: String
  let seed: UInt64
  let count: Int
  let place: Place

  init(directory: String, arguments: [String]) {
    self.directory = directory
    seed = arguments.first.flatMap { UInt64($0) } ?? 1
    count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    place = arguments.dropFirst(2).first.flatMap { Place(rawValue: $0) } ?? .anywhere
  }

  static let entries = 1500

  static func key(_ index: Int) -> String { "key/\(index)" }

  static func value(_ index: Int) -> [UInt8] {
    // A few values are long, so that there are overflow pages.
    let size = index % 150 == 0 ? 9000 : 20 + index % 150
    var bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
    var sum = withBytes(key(index)) { key in bytes.withUnsafeBytes { checksum(key, $0) } }
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: sum))
      sum >>= 8
    }
    return bytes
  }

  /// Computes a checksum in words of 8 bytes, because the child is not optimized and reads the whole store after each flip.
  static func checksum(_ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ bytes: UnsafeRawBufferPointer) {
      var place = 0
      while place + 8 <= bytes.count {
        sum = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01B3
        place += 8
      }
      while place < bytes.count {
        sum = (sum ^ UInt64(bytes[place])) &* 0x100_0000_01B3
        place += 1
      }
    }
    add(key)
    sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    add(bytes)
    return sum
  }

  func run() throws {
    try build()
    let path = directory + "/data.mdb"
    let original = try contents(path)
    say("pages \(original.count / 4096)")
    var generator = Generator(state: seed)
    var outcomes: [String: Int] = [:]
    for round in 0..<count {
      let bit = place == .everyMetaBit ? pick(round) : pick(original.count, &generator)
      // A hang ends the process by a signal, which the test sees.
      alarm(600)
      say("round \(round) bit \(bit)")
      try flip(path, original, bit)
      let outcome = examine()
      outcomes[outcome, default: 0] += 1
      try flip(path, original, nil)
      if outcome.hasPrefix("wrong") { say("WRONG round \(round) bit \(bit): \(outcome)") }
    }
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { say("outcome \(outcome) \(count)") }
    say("done \(count)")
  }

  private func pick(_ size: Int, _ generator: inout Generator) -> Int {
    switch place {
    case .anywhere: Int.random(in: 0..<size * 8, using: &generator)
    case .header:
      Int.random(in: 0..<size / 4096, using: &generator) * 4096 * 8
        + Int.random(in: 0..<16 * 8, using: &generator)
    case .meta, .everyMetaBit:
      Int.random(in: 0..<2, using: &generator) * 4096 * 8 + Int.random(in: 0..<152 * 8, using: &generator)
    }
  }

  /// The bits of both meta pages in their order.
  private func pick(_ round: Int) -> Int {
    let bits = 152 * 8
    return (round / bits) % 2 * 4096 * 8 + round % bits
  }

  private func build() throws {
    let environment = try Environment.open(directory: directory, options: EnvironmentOptions())
    guard let items = try environment.openDatabases(["items", "more"], create: true)[0] else { exit(65) }
    for batch in 0..<5 {
      try environment.write { transaction in
        for index in stride(from: batch, to: Damage.entries, by: 5) {
          try withBytes(Damage.key(index)) { key in
            try Damage.value(index).withUnsafeBytes { try transaction.put(items, key, $0) }
          }
        }
      }
    }
    environment.close()
  }

  private func flip(_ path: String, _ original: [UInt8], _ bit: Int?) throws {
    let file = systemOpen(path, O_RDWR)
    defer { close(file) }
    guard file >= 0, ftruncate(file, off_t(original.count)) == 0 else { exit(66) }
    var bytes = original
    if let bit { bytes[bit / 8] ^= 1 << (bit % 8) }
    guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else { exit(67) }
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let file = systemOpen(path, O_RDONLY)
    defer { close(file) }
    var info = stat()
    guard file >= 0, fstat(file, &info) == 0 else { exit(68) }
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    guard bytes.withUnsafeMutableBytes({ read(file, $0.baseAddress, $0.count) }) == bytes.count else {
      exit(69)
    }
    return bytes
  }

  /// Opens the store as it is now; says what came of it.
  private func examine() -> String {
    var options = EnvironmentOptions()
    options.verification = .full
    options.createsIfMissing = false
    do {
      let environment = try Environment.open(directory: directory, options: options)
      defer { environment.close() }
      guard let items = try environment.openDatabases(["items"], create: false)[0] else {
        // A bit of its name. The names are known to the layer above, whose catalogue has checksums.
        return "missing database"
      }
      return try environment.read { transaction in try examine(transaction, items) }
    } catch {
      return "error " + ((error as? LMDBError)?.code.rawValue ?? "unknown")
    }
  }

  private func examine(_ transaction: ReadTransaction, _ items: Database) throws -> String {
    let cursor = try transaction.cursor(items)
    var count = 0
    while try cursor.next() {
      count += 1
      let value = cursor.value
      guard value.count >= 8 else { return "checksum" }
      let stored = value.loadUnaligned(fromByteOffset: value.count - 8, as: UInt64.self)
      let bytes = UnsafeRawBufferPointer(rebasing: value.dropLast(8))
      if stored != Damage.checksum(cursor.key, bytes) { return "checksum" }
    }
    if count != Damage.entries { return "wrong: \(count) entries" }
    for index in stride(from: 0, to: Damage.entries, by: 97) {
      let isRight = try withBytes(Damage.key(index)) { key in
        try transaction.get(items, key).map { $0.elementsEqual(Damage.value(index)) } ?? false
      }
      if !isRight { return "wrong: entry \(index)" }
    }
    return "right"
  }
}

/// A generator that gives the same numbers for the same seed.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
