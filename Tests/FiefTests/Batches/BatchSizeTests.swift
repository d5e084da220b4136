import Fief
import FiefTesting
import Testing

@testable import FiefCore
@testable import FiefOperations

/// The size of field operations, by which the queue bounds what waits in it.
struct BatchSizeTests {
  @Test func operandsCountAsBytesOfTheBatch() throws {
    let game = try FieldFixture.game(.inMemory)
    let core = try #require(game.store().openedCore)
    let binding = try core.binding(of: FieldPlayer.self)
    let long = String(repeating: "x", count: 100_000)
    func byteCount(_ change: FieldChange<FieldPlayer>) throws -> Int {
      let (edit, _) = try FieldEncoder.encoded(binding, seeing: nil, in: core) {
        try $0.edit(of: [1], [change.operation], merges: false)
      }
      var changes = BatchChanges()
      changes.append(edit)
      return changes.byteCount
    }
    #expect(try byteCount(.increment(\.points)) < 100)
    #expect(try byteCount(.set(\.name, long)) >= 100_000)
    #expect(try byteCount(.union(\.tags, [long, long])) >= 200_000)
    #expect(try byteCount(.field("address.city", .value(.string(long)))) >= 100_000)
  }
}
