import Foundation
import LMDB

/// The Unicode tables of this process, on which case-insensitive and full-text indexes depend.
///
/// They are part of Swift's runtime and of Foundation. Another version of these may fold a text to other
/// bytes, or split it into other words. The catalogue's tree therefore contains a fingerprint of the tables
/// with which the store's indexes were built.
package enum UnicodeTables {
  /// The key of the fingerprint in the catalogue's tree.
  static let key = Array("unicode".utf8)

  /// A hash of the tables' entries for some thousand scalars, including scalars of the latest Unicode
  /// versions.
  package static let fingerprint = makeFingerprint()

  static func makeFingerprint() -> UInt64 {
    var writer = ValueWriter(reserving: 1 << 15)
    for probe in probes {
      guard let scalar = Unicode.Scalar(probe) else { continue }
      let properties = scalar.properties
      writer.append(properties.uppercaseMapping)
      writer.append(properties.lowercaseMapping)
      writer.appendInteger(properties.age.map { UInt16(truncatingIfNeeded: $0.major << 8 | $0.minor) } ?? 0)
      writer.appendInteger(WordClass.of(scalar).rawValue)
      var folded: [UInt8] = []
      WordFolding.append(scalar, to: &folded)
      folded.withUnsafeBytes { writer.append($0) }
    }
    let text = String(String.UnicodeScalarView(probes.compactMap { Unicode.Scalar($0) }))
    writer.append(TextFolding.fold(text, [.caseInsensitive, .diacriticInsensitive]))
    return writer.withBytes { UInt64(RecordChecksum.compute($0)) << 32 | UInt64($0.count) }
  }

  /// Letters with case and marks, about one scalar in two hundred in all planes with letters, and scalars
  /// near the characters that Unicode has added since version 12.
  private static let probes: [UInt32] = {
    var probes = Array(stride(from: 0xC0 as UInt32, to: 0x0600, by: 3))
    probes += Array(stride(from: 0x0600 as UInt32, to: 0x3_2400, by: 211))
    for first: UInt32 in [
      0x061D, 0x0870, 0x08B5, 0x0C5D, 0x1C89, 0x1ABF, 0x1AC1, 0x2C2F, 0x2C5F, 0xA7B8, 0xA7C2, 0xA7C7, 0xA7CB,
      0xA7CE,
      0xA7D0, 0xA7D6, 0xA7DA, 0xA7F1, 0x1_0570, 0x1_0940, 0x1_0D50, 0x1_0E80, 0x1_0EFD, 0x1_1240, 0x1_1B60,
      0x1_1F00,
      0x1_6D40, 0x1_6E40, 0x1_6EA0, 0x1_DF00, 0x1_E030, 0x1_E290, 0x1_E4D0, 0x1_E5D0, 0x2_A6DE, 0x2_B739,
      0x2_EBF0,
      0x3_1350, 0x3_23B0,
    ] {
      probes += Array(first..<(first + 8))
    }
    return probes
  }()

  /// Whether the indexes of a store were built with the tables of a given fingerprint.
  package static func isStored(
    _ fingerprint: UInt64,
    _ catalogueTree: Database,
    in transaction: LMDB.Transaction
  ) throws -> Bool {
    try stored(catalogueTree, in: transaction) == fingerprint
  }

  /// Returns the fingerprint of a store, or `nil` if the store was written by a version of the library
  /// without fingerprints.
  package static func stored(_ catalogueTree: Database, in transaction: LMDB.Transaction) throws -> UInt64? {
    try key.withUnsafeBytes { key in
      guard let bytes = try transaction.get(catalogueTree, key), bytes.count == 8 else { return nil }
      return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }
  }

  /// Returns whether any index of a catalogue depends on the tables.
  package static func serve(_ catalogue: Catalogue) -> Bool {
    catalogue.types.contains { $0.indexes.contains(where: \.dependsOnUnicode) }
  }

  /// Stores the fingerprint of the tables with which all indexes of a store were built.
  static func store(
    _ fingerprint: UInt64,
    _ catalogueTree: Database,
    in transaction: LMDB.WritableTransaction
  ) throws {
    try key.withUnsafeBytes { key in
      try withUnsafeBytes(of: fingerprint.littleEndian) { try transaction.put(catalogueTree, key, $0) }
    }
  }
}
