import LMDB

/// Seals what the secret columns of one type have in keys.
///
/// A primary key has to give its value back: its element is data, the sealed element of the value. Other columns have their values in
/// records, and their elements in indexes are tokens. Nil stays nil everywhere.
final class SecretKeys: Sendable {
  /// The bytes that a sealed element is longer than the element.
  private static let overhead = 16
  private static let tokenCount = 16

  private let cipher: any StoreCipher
  private let type: UInt32

  /// - Parameter type: the type's id, which is in all that is sealed.
  init(_ cipher: any StoreCipher, type: UInt32) {
    self.cipher = cipher
    self.type = type
  }

  /// What elements are sealed for, so that equal values of two properties have nothing in common.
  private enum Use: UInt8 {
    case key = 1
    case index = 2
    case foldedIndex = 3
  }

  private func withContext(_ column: UInt16, _ use: Use, _ body: (UnsafeRawBufferPointer) -> Void) {
    let image = UInt64(type) << 24 | UInt64(column) << 8 | UInt64(use.rawValue)
    Swift.withUnsafeBytes(of: image.bigEndian) { body(UnsafeRawBufferPointer(rebasing: $0[1...])) }
  }

  // MARK: Primary keys

  /// Replaces the element at the end of a key by its sealed form.
  func seal(_ column: UInt16, at start: Int, of encoder: inout KeyEncoder) {
    let element = Array(encoder.bytes[start...])
    guard element != Self.null else { return }
    var sealed = [UInt8](repeating: 0, count: element.count + Self.overhead)
    withContext(column, .key) { context in
      sealed.withUnsafeMutableBytes { sealed in
        element.withUnsafeBytes { cipher.sealKey($0, for: context, into: sealed) }
      }
    }
    encoder.bytes.removeLast(element.count)
    encoder.append(bytes: sealed)
  }

  /// The element that a key's next one is the sealed form of; that of nil for nil.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` where it was not sealed for the column.
  func open(_ column: UInt16, from decoder: inout KeyDecoder) throws(FiefError) -> [UInt8] {
    let element: KeyElement?
    do { element = try decoder.next() } catch {
      throw FiefError(.damagedRecord, "A key is damaged.", underlying: error)
    }
    if element == .null { return Self.null }
    guard case .bytes(let sealed)? = element, sealed.count > Self.overhead else { throw Self.damaged }
    var value = [UInt8](repeating: 0, count: sealed.count - Self.overhead)
    var isRight = false
    withContext(column, .key) { context in
      isRight = value.withUnsafeMutableBytes { value in
        sealed.withUnsafeBytes { cipher.openKey($0, for: context, into: value) }
      }
    }
    guard isRight else { throw Self.damaged }
    return value
  }

  private static var damaged: FiefError {
    FiefError(.damagedRecord, "A secret key is damaged, or was sealed for another property.")
  }

  // MARK: Indexes

  /// The element that stands for another one in indexes: its token, with the tag of a UUID, so that all are of one length.
  func token(of element: UnsafeRawBufferPointer, _ column: UInt16, isFolded: Bool) -> [UInt8] {
    if element.elementsEqual(Self.null) { return Self.null }
    var bytes = [UInt8](repeating: 0, count: Self.tokenCount)
    withContext(column, isFolded ? .foldedIndex : .index) { context in
      bytes.withUnsafeMutableBytes { cipher.token(of: element, for: context, into: $0) }
    }
    var encoder = KeyEncoder()
    // Sixteen bytes are never refused.
    do { try bytes.withUnsafeBytes { try encoder.append(uuid: $0) } } catch { return bytes }
    return encoder.bytes
  }

  /// Replaces the element at the end of a writer by its token.
  func replaceByToken(_ column: UInt16, isFolded: Bool, at start: Int, in writer: inout ValueWriter) {
    let element = UnsafeRawBufferPointer(start: writer.address(start), count: writer.count - start)
    let token = token(of: element, column, isFolded: isFolded)
    writer.truncate(to: start)
    writer.append(token)
  }

  private static let null: [UInt8] = {
    var encoder = KeyEncoder()
    encoder.appendNull()
    return encoder.bytes
  }()
}
