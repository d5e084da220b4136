import Testing

@testable import FiefCore

/// Elements of large sets that earlier builds stored with a sign: a look-up tries these forms too.
struct EarlierElementFormTests {
  private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }

  private func bytes(_ number: Double) -> [UInt8] { bytes(number.bitPattern) }

  @Test(arguments: [0.0, .nan]) func zerosAndNaNs(number: Double) {
    let (plain, signed) = (bytes(number), bytes(-number))
    #expect(CollectionPayload.otherForm(of: plain, type: ColumnType(.double)) == signed)
    #expect(CollectionPayload.otherForm(of: plain, type: ColumnType(.date)) == signed)
    #expect(
      CollectionPayload.otherForm(of: [1] + plain, type: ColumnType(.double, isOptional: true)) == [1]
        + signed
    )
    let kind = ColumnType.Kind.double.rawValue
    #expect(CollectionPayload.otherForm(of: [kind] + plain, type: ColumnType(.any)) == [kind] + signed)
    let narrow = Float(number)
    #expect(
      CollectionPayload.otherForm(of: bytes(narrow.bitPattern), type: ColumnType(.float))
        == bytes((-narrow).bitPattern)
    )
  }

  @Test func otherElements() {
    #expect(CollectionPayload.otherForm(of: bytes(1.5), type: ColumnType(.double)) == nil)
    #expect(CollectionPayload.otherForm(of: bytes(Double.infinity), type: ColumnType(.double)) == nil)
    #expect(CollectionPayload.otherForm(of: bytes(Int64(0)), type: ColumnType(.int64)) == nil)
    #expect(CollectionPayload.otherForm(of: [0], type: ColumnType(.double, isOptional: true)) == nil)
  }
}
