import Fief
import FiefEncryption
import Foundation

/// The rows of encrypted stores: those in clear, on other stores.
extension FiefRows {
  private static let suffix = "_enc"

  func encryptedFigure(of row: String, _ times: Int) throws -> Figure? {
    guard row.hasSuffix(Self.suffix) else { return nil }
    let rows = try encrypted ?? FiefRows(directory: directory + "/E", workload, encryption: .benchmark)
    encrypted = rows
    return try rows.figure(of: String(row.dropLast(Self.suffix.count)), times: times)
  }
}

extension StoreEncryption {
  /// A key of 32 bytes that is used as it is.
  static var benchmark: StoreEncryption { .key(Data(0..<32)) }
}
