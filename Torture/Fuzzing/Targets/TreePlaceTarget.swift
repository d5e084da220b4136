import Fief

@testable import FiefTree
@testable import LMDB

extension FuzzTarget {
  /// Places of trees: any bytes are components or refused, components give the same bytes, and two paths have the order of their
  /// names, which their keys give back.
  static let treePlaces = FuzzTarget(
    name: "tree-places",
    longest: 2000,
    seeds: {
      let long = String(repeating: "n", count: 255) + "\u{1F600}" + String(repeating: "n", count: 80)
      return [
        ("a/b", "a/-07"), ("rooms/12", "rooms/012/x"),
        (String(repeating: "\u{E9}", count: 120) + "/b", "\u{E9}"),
        (String(repeating: "n", count: 200) + "/a", long + "/" + long),
      ].map { first, second in
        [UInt8(first.utf8.count)] + Array(first.utf8) + Array(second.utf8)
      } + [[0] + TreePlace(TreePath(names: ["7", "a", "-0"])).last]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let (first, second) = (rest.sized(), rest.remaining())
      for place in [first, second] { try TreePlaceChecks.checkComponents(place) }
      let paths = try [first, second].map { try TreePlaceChecks.path($0, defect) }
      guard let path = paths[0], let other = paths[1] else { return }
      try TreePlaceChecks.checkOrder(path, other)
      try TreePlaceChecks.checkOrder(other, path)
    }
  )
}

private enum TreePlaceChecks {
  /// Reads bytes as a place. Names that are read are written as the same bytes.
  static func checkComponents(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { place in
      var (start, pieces) = (0, [UInt8]())
      while let (component, end) = TreeComponent.read(place, at: start) {
        try require(end > start && end <= place.count, "an end at \(end) of \(bytes.hex)")
        var written: [UInt8] = []
        switch component {
        case .integer(let integer):
          let name = Array(integer.name.utf8)
          _ = name.withUnsafeBytes { TreeComponent.append($0, from: 0, to: &written) }
        case .text(let range), .piece(let range):
          // Only the first name of a segment may be the rest of a longer one. A name is complete UTF-8, and no integer.
          let isPiece = if case .piece = component { true } else { false }
          guard String(validating: place[range], as: UTF8.self) != nil else { break }
          let name = pieces + place[range] + (isPiece ? Array("\u{10FFFF}\u{10FFFF}".utf8) : [])
          guard name.count <= TreeName.longest, IntegerName(name) == nil || !pieces.isEmpty else { break }
          _ = name.withUnsafeBytes { TreeComponent.append($0, from: pieces.count, to: &written) }
          pieces = isPiece ? pieces + place[range] : []
        }
        if !written.isEmpty {
          try require(
            written.elementsEqual(place[start..<end]),
            "\(component) of \(bytes.hex) is written as \(written.hex)"
          )
        }
        start = end
      }
      _ = NodeKey.read(place)
    }
  }

  /// Reads a text as a path, and checks its keys.
  ///
  /// - Returns: `nil` if the text is refused.
  static func path(_ bytes: [UInt8], _ defect: PlantedDefect) throws -> TreePath? {
    let text = String(decoding: bytes, as: UTF8.self)
    let path: TreePath
    do { path = try TreePath(text) } catch {
      try require([.invalidTreeKey, .treeTooDeep].contains(error.code), "\(error): \(text)")
      return nil
    }
    try require(path.names.count <= TreePath.mostNames, "too deep: \(text)")
    let place = TreePlace(path)
    try require(place.anchors.count < TreePlace.mostSegments, "too many segments: \(text)")
    for (segment, bytes) in (place.anchors + [place.last]).enumerated() {
      try require(bytes.count <= TreePlace.longest, "a place of \(bytes.count) bytes: \(text)")
      let key = NodeKey.key(segment, bytes)
      let read = key.withUnsafeBytes { key in NodeKey.read(key).map { ($0.segment, [UInt8]($0.place)) } }
      try require(read?.0 == segment && read?.1 == bytes, "another key: \(key.hex)")
    }
    let names = try names(place, defect)
    try require(names == path.names.map { Array($0.utf8) }, "other names: \(text)")
    return path
  }

  /// Reads the names of a place from its keys.
  private static func names(_ place: TreePlace, _ defect: PlantedDefect) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    var pieces: [UInt8] = []
    for bytes in place.anchors + [place.last] {
      try bytes.withUnsafeBytes { place in
        var start = 0
        while start < place.count {
          guard let (component, end) = TreeComponent.read(place, at: start) else {
            throw FuzzFinding("no component at \(start) of \(bytes.hex)")
          }
          switch component {
          case .integer(let integer): names.append(Array(integer.name.utf8))
          case .piece(let range): pieces += place[range]
          case .text(let range):
            var name = pieces + place[range]
            // The last character of some names is lost.
            if defect.isPlanted, name.last == UInt8(ascii: "}") { name.removeLast() }
            names.append(name)
            pieces = []
          }
          start = end
        }
      }
    }
    return names
  }

  /// The keys of two paths are in the order of their names, and only a descendant is between a node and what follows it.
  static func checkOrder(_ first: TreePath, _ second: TreePath) throws {
    let (one, other) = (keys(first), keys(second))
    let isBefore = one.lexicographicallyPrecedes(other) { $0.lexicographicallyPrecedes($1) }
    try require(isBefore == precedes(first, second), "the order of \(first.text) and \(second.text)")
    try require(isBefore == first.precedes(second), "the order of \(first.text) and \(second.text) as paths")
    let place = TreePlace(first)
    guard place.anchors.isEmpty, TreePlace(second).anchors.isEmpty else { return }
    let key = NodeKey.key(0, TreePlace(second).last)
    let isInside = key.withUnsafeBytes { $0.hasPrefix(NodeKey.prefix(0, place.last)) }
    try require(isInside == second.hasPrefix(first), "\(second.text) inside of \(first.text): \(isInside)")
    if isInside {
      try require(
        key.lexicographicallyPrecedes(NodeKey.end(0, place.last)),
        "\(second.text) is behind the end"
      )
    }
  }

  private static func keys(_ path: TreePath) -> [[UInt8]] {
    let place = TreePlace(path)
    return place.anchors + [place.last]
  }

  /// The order as the specification has it, from the texts alone.
  private static func precedes(_ first: TreePath, _ second: TreePath) -> Bool {
    for (one, other) in zip(first.names, second.names) {
      if one.utf8.elementsEqual(other.utf8) { continue }
      let isBefore = Array(one.utf8).lexicographicallyPrecedes(Array(other.utf8))
      switch (integer(one), integer(other)) {
      case (let value?, let otherValue?):
        return (value, one.utf8.count, isBefore ? 0 : 1) < (otherValue, other.utf8.count, isBefore ? 1 : 0)
      case (_?, nil): return true
      case (nil, _?): return false
      case (nil, nil): return isBefore
      }
    }
    return first.names.count < second.names.count
  }

  private static func integer(_ name: String) -> Int32? {
    let digits = name.utf8.first == UInt8(ascii: "-") ? name.utf8.dropFirst() : name.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int32(name)
  }
}
