import LMDB

/// Encrypts the values of one type's secret columns in keys.
///
/// The value of a primary key has to be recoverable, so its key element is data that contains the value's
/// sealed element. The values of other columns are stored in records, so their index elements are tokens. Nil
/// is never encrypted.
final class SecretKeys: Sendable {
  /// The number of bytes by which a sealed element is longer than the element.
  private static let overhead = 16
  private static let tokenCount = 16

  private let cipher: any StoreCipher
  private let type: UInt32

  /// - Parameter type: the type's id, which is part of the context of every sealed element.
  init(_ cipher: any StoreCipher, type: UInt32) {
    self.cipher = cipher
    self.type = type
  }

  /// The purpose of an element. It is part of the context, so that equal values have different sealed forms
  /// in keys and in indexes, and in different properties.
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

  /// Replaces the last element of a key, which begins at `start`, by its sealed form.
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

  /// Opens the next element of a key. Nil stays the null element.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the element was not sealed for this column.
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

  /// Returns the element that replaces another element in indexes: its token, with the tag of a UUID, so that
  /// all have the same length.
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

  /// Replaces the last element of a writer, which begins at `start`, by its token.
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
