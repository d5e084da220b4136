import Fief
import FiefTreeTestKit
import LMDB
import TestEffort
import Testing

@testable import FiefTree

/// The encoding of places: its order, its limits, and that names come back.
struct PlaceTests {
  /// The places of the anchors of a path, then its own.
  private func keys(_ path: TreePath) -> [[UInt8]] {
    let place = TreePlace(path)
    return place.anchors + [place.last]
  }

  private func precedes(_ first: TreePath, _ second: TreePath) -> Bool {
    keys(first).lexicographicallyPrecedes(keys(second)) { $0.lexicographicallyPrecedes($1) }
  }

  /// Reads the names of a place back from its keys.
  private func names(_ path: TreePath) -> [String]? {
    var names: [String] = []
    var pieces: [UInt8] = []
    for place in keys(path) {
      let isRead = place.withUnsafeBytes { place -> Bool in
        var start = 0
        while start < place.count {
          guard let (component, end) = TreeComponent.read(place, at: start) else { return false }
          switch component {
          case .integer(let integer):
            guard pieces.isEmpty else { return false }
            names.append(integer.name)
          case .piece(let range): pieces += place[range]
          case .text(let range):
            names.append(String(decoding: pieces + place[range], as: UTF8.self))
            pieces = []
          }
          start = end
        }
        return true
      }
      if !isRead { return nil }
    }
    return pieces.isEmpty ? names : nil
  }

  @Test func keysAreInTheOrderOfNames() {
    var random = SeededRandom(state: 1)
    let names = (0..<TestEffort.count(1500, more: 10_000)).map { _ in RandomNames.name(using: &random) }
    for _ in 0..<TestEffort.count(6_000, more: 100_000) {
      let first = names.randomElement(using: &random) ?? "a"
      let second = names.randomElement(using: &random) ?? "a"
      if first.utf8.elementsEqual(second.utf8) { continue }
      let expected = TreeModel.isBefore(first, second)
      #expect(TreeName.precedes(first, second) == expected)
      #expect(precedes(TreePath(names: [first]), TreePath(names: [second])) == expected)
    }
  }

  @Test func keysAreInTheOrderOfPaths() {
    var random = SeededRandom(state: 2)
    let names = (0..<40).map { _ in RandomNames.name(using: &random) }
    let paths = (0..<2000).map { _ in
      let count = Int.random(in: 0...Int.random(in: 1...32, using: &random), using: &random)
      return TreePath(names: (0..<count).map { _ in names.randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<TestEffort.count(6_000, more: 100_000) {
      let first = paths.randomElement(using: &random) ?? TreePath()
      // Paths that share a beginning.
      let rest = (paths.randomElement(using: &random) ?? TreePath()).names
      let second = TreePath(
        names: Array(
          (first.names.prefix(Int.random(in: 0...first.names.count, using: &random)) + rest).prefix(32)
        )
      )
      if first == second { continue }
      #expect(precedes(first, second) == first.precedes(second))
    }
  }

  @Test func namesComeBackAndKeysFit() throws {
    var random = SeededRandom(state: 3)
    for _ in 0..<TestEffort.count(2000, more: 8_000) {
      let count = Int.random(in: 0...32, using: &random)
      let path = TreePath(names: (0..<count).map { _ in RandomNames.name(using: &random) })
      #expect(names(path).map { TreePath(names: $0) } == path)
      let place = TreePlace(path)
      #expect(place.anchors.count < TreePlace.mostSegments)
      for (index, bytes) in keys(path).enumerated() {
        #expect(bytes.count <= 461)
        #expect(String(validating: bytes, as: UTF8.self) != nil)
        let key = NodeKey.key(Int(Int32.max) + index, bytes)
        #expect(key.count <= 511)
        key.withUnsafeBytes { key in
          let read = NodeKey.read(key)
          #expect(read?.segment == Int(Int32.max) + index)
          #expect(read.map { [UInt8]($0.place) } == bytes)
        }
      }
    }
  }

  @Test func theLongestPathHasTheMostSegments() {
    // Pieces of 253 bytes: a name of 768 bytes has four of them.
    let name = String(repeating: "a", count: 1) + String(repeating: "\u{1F600}", count: 191) + "aaa"
    #expect(name.utf8.count == 768)
    let place = TreePlace(TreePath(names: Array(repeating: name, count: 32)))
    #expect(place.anchors.count <= 128)
    #expect(place.anchors.allSatisfy { $0.count <= 461 })
  }

  @Test func shortPathsHaveOneSegment() {
    let place = TreePlace(TreePath(names: ["users", "ada", "messages", "-Nabcdefghijklmnopqr", "text"]))
    #expect(place.anchors.isEmpty)
    // The limit: 200 bytes with the marks of one name.
    #expect(TreePlace(TreePath(names: [String(repeating: "a", count: 198), "b"])).anchors.isEmpty)
    #expect(TreePlace(TreePath(names: [String(repeating: "a", count: 199), "b"])).anchors.count == 1)
  }

  /// The control of the order: a piece that ended as a text ends would sort before names that come first.
  @Test func theMarkOfAPieceDecidesTheOrder() {
    let beginning = String(repeating: "x", count: 254)
    let first = TreePath(names: [beginning + "a"])
    let second = TreePath(names: [beginning + "\u{FFFF}" + "a"])
    #expect(first.precedes(second) && precedes(first, second))
    let piece = TreePlace(second).anchors[0]
    #expect(piece.suffix(4).elementsEqual("\u{10FFFF}".utf8))
    let wrong = piece.dropLast(4) + [TreeComponent.textEnd]
    #expect(wrong.lexicographicallyPrecedes(TreePlace(first).last))
  }

  /// Keys that no path gives are refused, and never a trap.
  @Test func damagedPlacesAreRefused() {
    var random = SeededRandom(state: 4)
    for _ in 0..<TestEffort.count(6_000, more: 100_000) {
      let path = TreePath(names: (0..<3).map { _ in RandomNames.name(using: &random) })
      var bytes = keys(path).randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeLast(bytes.count - index)
        default: bytes.insert(UInt8.random(in: 0...8, using: &random), at: index)
        }
      }
      bytes.withUnsafeBytes { place in
        var start = 0
        while let (_, end) = TreeComponent.read(place, at: start) { start = end }
        _ = NodeKey.read(place)
      }
    }
  }
}
