import Fief
import FiefTesting
import FiefTree
import TestEffort
import Testing

/// Random operations on a tree and on a dictionary, which must agree after each of them.
struct TreeModelTests {
  private static let seeds = Array(1...UInt64(TestEffort.count(4, more: 40)))

  @Test(.timeLimit(.minutes(20)), arguments: StoreKind.allCases, seeds)
  func agreesWithTheModel(_ kind: StoreKind, _ seed: UInt64) async throws {
    var random = SeededRandom(state: seed)
    let chat = try TreeFixture(kind)
    var model = TreeModel()
    // Few names, so that paths meet.
    let names = (0..<14).map { _ in RandomNames.name(using: &random) }
    for step in 0..<300 {
      let path = Self.path(names, 0...5, &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let value = Self.value(names, 3, &random)
        try await chat.tree.reference(path.joined(separator: "/")).setValue(value)
        model.set(value, at: path)
      case 4..<6:
        try chat.tree.reference(path.joined(separator: "/")).removeValueAndWait()
        model.set(.null, at: path)
      case 6:
        var values = FiefTree.JSONObject()
        var paths: [[String]] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = path + Self.path(names, 1...3, &random)
          let isFree = paths.allSatisfy {
            !TreeModel.Path($0).starts(with: .init(place)) && !TreeModel.Path(place).starts(with: .init($0))
          }
          if !isFree { continue }
          let value = Self.value(names, 2, &random)
          paths.append(place)
          values[place.dropFirst(path.count).joined(separator: "/")] = value
          model.set(value, at: place)
        }
        try await chat.tree.reference(path.joined(separator: "/")).updateChildValues(values)
      case 7:
        try chat.tree.reference(path.joined(separator: "/")).setValueAndWait(.increment(3))
        model.set(.increment(3), at: path)
      case 8:
        let place = try chat.tree.reference(path.joined(separator: "/"))
        let keys = model.keys(at: path)
        #expect(try place.keys() == keys)
        #expect(try place.childCount() == keys.count)
        let after = names.randomElement(using: &random) ?? "a"
        let rest = keys.filter { PlaceTests.isBefore(after, $0) }
        #expect(try Self.bytes(place.keys(limit: 3, after: after)) == Self.bytes(Array(rest.prefix(3))))
      default:
        let place = try chat.tree.reference(path.joined(separator: "/"))
        let value = model.value(at: path)
        #expect(try place.snapshot().json == value)
        #expect(try place.exists() == (value != .null))
      }
      if step % 20 == 19 {
        #expect(try chat.whole() == model.value(at: []), "seed \(seed), step \(step)")
        #expect(try chat.tree.check() == [], "seed \(seed), step \(step)")
      }
    }
    try await chat.tree.root.removeValue()
    #expect(try chat.store.count(of: "JSONTreeNode") == 0)
  }

  private static func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

  private static func path(
    _ names: [String],
    _ counts: ClosedRange<Int>,
    _ random: inout SeededRandom
  ) -> [String] {
    (0..<Int.random(in: counts, using: &random)).map { _ in names.randomElement(using: &random) ?? "a" }
  }

  private static func value(_ names: [String], _ depth: Int, _ random: inout SeededRandom) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int64.random(in: -9...9, using: &random))
    case 3: return .double(Double(Int.random(in: -9...9, using: &random)) / 2)
    case 4: return .string(names.randomElement(using: &random) ?? "")
    case 5: return .increment(Int.random(in: -3...3, using: &random))
    case 6:
      return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(names, depth - 1, &random) })
    default:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (names.randomElement(using: &random) ?? "a", value(names, depth - 1, &random))
      }
      return .object(FiefTree.JSONObject(members))
    }
  }
}

extension DatabaseConfigurable {
  /// Returns the number of objects of a type by its name.
  func count(of type: String) throws -> Int {
    let core = try store().core()
    return try core.read { try core.count(try core.tables.table(named: type), in: $0) }
  }
}
