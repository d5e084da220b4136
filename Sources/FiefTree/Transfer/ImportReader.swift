import Fief
import Foundation

/// Reads a JSON document, checks its names and values, and adds an item for each leaf to a sorter.
struct ImportReader {
  /// An open object or array.
  private struct Container {
    let mark: ImportPlace.Mark
    let isObject: Bool
    /// The number of members with ordinary names, or of elements.
    var count = 0
    var hasValue = false
    var hasPriority = false
  }

  /// The meaning of the next value.
  private enum Role {
    case root
    case element
    case member(JSONPosition)
    /// The value of a `.value`: it is at the place of its object.
    case value
    /// The value of a `.priority`, which is dropped.
    case priority
  }

  private static let priorityName = ".priority"

  private var parser: JSONEventParser
  private let sorter: EntrySorter
  /// The place of the value that is read next.
  private var place: ImportPlace
  /// The place to which the reader returns after this value.
  private var outer: ImportPlace.Mark
  private var role = Role.root
  private var containers: [Container] = []
  private var key: [UInt8] = []
  private var item: [UInt8] = []

  private(set) var leaves = 0
  private(set) var roundedIntegers = 0
  private(set) var droppedPriorities = 0

  /// - Parameters:
  ///   - path: the place of the whole document.
  ///   - bufferSize: the number of bytes that are read at once.
  ///   - read: fills a buffer, and returns the number of bytes; 0 at the end.
  init(
    _ sorter: EntrySorter,
    at path: TreePath,
    bufferSize: Int = 256 << 10,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.sorter = sorter
    place = ImportPlace(path)
    outer = place.mark
    parser = JSONEventParser(
      longestText: TreeValueBuilder.longestText,
      longestNumber: JSON.longestNumber,
      bufferSize: bufferSize,
      read: read
    )
  }

  /// Reads the whole document.
  ///
  /// - Parameter isCancelled: returns whether to end with an error.
  /// - Throws: `FiefError` of code `malformedJSON`, `invalidTreeKey`, `treeTooDeep`, `valueTooLarge` or
  ///   `invalidValue`, with line and column; `cancelled`; errors of reading and of the sorter. A second
  ///   member of one name is found by ``ImportedEntries``.
  mutating func run(isCancelled: () -> Bool = { false }) throws {
    var events = 0
    while let event = try parser.next() {
      if events & 0xFFF == 0, isCancelled() {
        throw FiefError(.cancelled, "The task was cancelled; nothing was imported.")
      }
      events &+= 1
      switch event {
      case .name: try readName()
      case .beginObject: try begin(isObject: true)
      case .beginArray: try begin(isObject: false)
      case .endObject, .endArray: end()
      case .null: try readNull()
      case .bool(let value): try read { NodeContent.append(.bool(value), to: &$0) }
      case .integer(let value): try read { NodeContent.append(.int(Int64(value)), to: &$0) }
      case .number(let text):
        let number = try number(text)
        try read { NodeContent.append(number, to: &$0) }
      case .text:
        let parser = parser
        try read { item in parser.withText { NodeContent.append(text: $0, to: &item) } }
      }
    }
  }

  // MARK: Names

  private mutating func readName() throws {
    let parser = parser
    outer = place.mark
    try parser.withText { name in
      guard var container = containers.popLast() else { return }
      if name.first == UInt8(ascii: ".") {
        try readReserved(name, in: &container)
      } else {
        if container.hasValue { throw notAlone(ServerValue.valueName) }
        guard (1...TreeName.longest).contains(name.count), !name.contains(where: TreeName.isRefused) else {
          throw invalidName(name)
        }
        container.count += 1
        place.append(name)
        role = .member(parser.place)
      }
      containers.append(container)
    }
  }

  private mutating func readReserved(_ name: UnsafeRawBufferPointer, in container: inout Container) throws {
    if name.elementsEqual(ServerValue.valueName.utf8) {
      if container.hasValue { throw Self.twice(at: parser.place) }
      if container.count > 0 { throw notAlone(ServerValue.valueName) }
      container.hasValue = true
      role = .value
    } else if name.elementsEqual(Self.priorityName.utf8) {
      if container.hasPriority { throw Self.twice(at: parser.place) }
      container.hasPriority = true
      role = .priority
    } else {
      throw invalidName(name)
    }
  }

  // MARK: Values

  private mutating func begin(isObject: Bool) throws {
    if case .priority = role { throw error(.invalidTreeKey, "A priority is an object or an array.") }
    goToElement()
    try checkDepth()
    if case .member(let position) = role { try add(.node, at: position) { _ in } }
    containers.append(Container(mark: outer, isObject: isObject))
    role = .element
  }

  private mutating func end() {
    guard let container = containers.popLast() else { return }
    place.restore(container.mark)
    role = .element
  }

  private mutating func readNull() throws {
    switch role {
    case .member(let position): try add(.absence, at: position) { _ in }
    case .element:
      // The place is still the place of the array.
      if !containers.isEmpty { containers[containers.count - 1].count += 1 }
      return
    case .root, .value, .priority: break
    }
    place.restore(outer)
    role = .element
  }

  /// Reads a leaf.
  ///
  /// - Parameter payload: appends the payload of the leaf.
  private mutating func read(_ payload: (inout [UInt8]) -> Void) throws {
    if case .priority = role {
      droppedPriorities += 1
      role = .element
      return
    }
    goToElement()
    try checkDepth()
    let anchors = place.newAnchors
    for anchor in anchors {
      item.removeAll(keepingCapacity: true)
      ImportItem.append(.anchor, at: parser.place, to: &item)
      try anchor.withUnsafeBytes { key in try item.withUnsafeBytes { try sorter.add(key, $0) } }
    }
    if !anchors.isEmpty { place.didAddAnchors() }
    if case .member(let position) = role {
      try add(.member, at: position, payload)
    } else {
      try add(.leaf, at: parser.place, payload)
    }
    leaves += 1
    place.restore(outer)
    role = .element
  }

  /// Goes down to the next element if the value belongs to an array.
  private mutating func goToElement() {
    guard case .element = role, let container = containers.last else { return }
    outer = place.mark
    var index = String(container.count)
    index.withUTF8 { place.append(UnsafeRawBufferPointer($0)) }
    containers[containers.count - 1].count += 1
  }

  private func checkDepth() throws {
    if place.depth > TreePath.mostNames {
      throw error(.treeTooDeep, "A value reaches more than \(TreePath.mostNames) names below the root.")
    }
  }

  private mutating func add(
    _ kind: ImportItem.Kind,
    at position: JSONPosition,
    _ payload: (inout [UInt8]) -> Void
  ) throws {
    place.writeKey(&key)
    item.removeAll(keepingCapacity: true)
    ImportItem.append(kind, at: position, to: &item)
    payload(&item)
    try key.withUnsafeBytes { key in try item.withUnsafeBytes { try sorter.add(key, $0) } }
  }

  private mutating func number(_ text: String) throws -> JSON {
    guard let value = Double(text), value.isFinite else {
      throw error(.invalidValue, "A number is outside of the range of a double.")
    }
    // The parser leaves minus zero to its caller.
    if text == "-0" { return .int(0) }
    let isInteger = text.utf8.allSatisfy { $0 <= UInt8(ascii: "9") && $0 != UInt8(ascii: ".") }
    if isInteger, String(format: "%.0f", value) != text { roundedIntegers += 1 }
    return .double(value)
  }

  // MARK: Errors

  private func error(_ code: FiefError.Code, _ message: String, _ details: [String] = []) -> FiefError {
    // Lines cannot be added later: a line with a value that is read from an error no longer has the value.
    let lines = [
      Self.details(parser.place.line, parser.place.column), "path: " + HiddenValue.text(place.text),
    ]
    return FiefError(code, message, details: lines + details)
  }

  static func details(_ line: Int, _ column: Int) -> String { "line \(line), column \(column)" }

  private func notAlone(_ name: String) -> FiefError {
    error(
      .invalidTreeKey,
      "A reserved name must be the only name of its object.",
      ["name: " + HiddenValue.text(name)]
    )
  }

  private func invalidName(_ bytes: UnsafeRawBufferPointer) -> FiefError {
    let name = String(decoding: bytes, as: UTF8.self)
    let position = Self.details(parser.place.line, parser.place.column)
    do {
      try TreeName.check(name, path: place.text.isEmpty ? name : place.text + "/" + name, at: position)
      return error(.invalidTreeKey, "A name is not valid.")
    } catch { return error }
  }

  private static func twice(at position: JSONPosition) -> FiefError {
    position.malformed("An object has two members of one name.")
  }
}
