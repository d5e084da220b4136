import FiefTorture
import Foundation

/// The files of a store by their names, as they are damaged and put in place.
enum StoreFiles {
  static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Writes the files of a store.
  static func write(_ files: [String: [UInt8]], to directory: String) throws {
    for (name, bytes) in files {
      let file = open(directory + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      defer { close(file) }
      guard file >= 0,
        bytes.withUnsafeBytes({ Foundation.write(file, $0.baseAddress, $0.count) }) == bytes.count
      else {
        throw BrokenTest("\(name) cannot be written: errno \(errno)")
      }
    }
  }

  /// Makes a directory that has these files and nothing else.
  static func put(_ files: [String: [UInt8]], in directory: String) throws {
    try remove(directory)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try write(files, to: directory)
  }

  static func remove(_ directory: String) throws {
    if FileManager.default.fileExists(atPath: directory) {
      try FileManager.default.removeItem(atPath: directory)
    }
  }

  // MARK: Damage

  /// Damages the data file in the way that comes next; says where.
  ///
  /// Each kind of damage takes the pages one after the other, from one that depends on the seed and on the kind.
  static func damageData(
    of files: inout [String: [UInt8]],
    _ round: Int,
    seed: Int,
    _ random: inout TortureRandom
  ) -> String {
    let kinds = DamageKind.allCases
    let (turn, index) = round.quotientAndRemainder(dividingBy: kinds.count)
    let kind = kinds[index]
    let first = Int(seed.magnitude % 1_000_003) * 7_919 + index * 37
    var bytes = files["data.mdb"] ?? []
    let place = kind.apply(to: &bytes, number: first + turn, &random)
    files["data.mdb"] = bytes
    return "data.mdb \(kind.rawValue) \(place)"
  }

  /// Damages a small file; says where.
  static func damageFile(
    _ name: String,
    of files: inout [String: [UInt8]],
    _ random: inout TortureRandom
  ) -> String {
    var bytes = files[name] ?? []
    let kind = random.next(4)
    let place = random.next(name == "lock.mdb" && random.next(2) == 0 ? min(256, bytes.count) : bytes.count)
    switch kind {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.next(8))
    case 1: bytes.removeLast(bytes.count - place)
    case 2: for index in place..<min(place + 64, bytes.count) { bytes[index] = UInt8(random.next(256)) }
    default: bytes = [UInt8](repeating: 0, count: bytes.count)
    }
    files[name] = bytes
    return "\(name) \(["bit", "truncated", "scattered", "zeroed"][kind]) byte \(place)"
  }
}
