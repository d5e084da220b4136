/// The new entries of one segment, in the order of their places.
protocol EntrySource {
  /// The place of the next entry; `nil` after the last one.
  var place: ArraySlice<UInt8>? { get }
  /// The content of the next entry.
  var content: NewEntries.Content { get }
  mutating func advance() throws
}

/// The entries of one segment that a value gives, in the order of their places.
///
/// All places are in one array of bytes, since a write may have a million of them.
struct NewEntries: EntrySource {
  /// A child whose name, or the rest of whose name, begins a place.
  struct Child {
    let child: TreeChild
    /// The offset of the rest of the name.
    var offset = 0
  }

  enum Content {
    case leaf(TreeLeaf)
    /// The payload of a leaf.
    case payload([UInt8])
    /// The children of an anchor; at least one.
    case anchor([Child])
    /// An anchor whose segment follows.
    case segment
  }

  private struct Entry {
    let place: Range<Int>
    let content: Content
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var index = 0

  /// No entries: whatever is stored is removed.
  init() {}

  /// Creates the entries of a value at a place.
  init(_ value: TreeValue, at place: [UInt8]) {
    var place = place
    add(value, at: &place)
  }

  /// Creates the entries of the children of an anchor, whose places begin empty.
  init(_ children: [Child]) {
    var place: [UInt8] = []
    add(children[...], below: &place)
  }

  var place: ArraySlice<UInt8>? { index < entries.count ? bytes[entries[index].place] : nil }

  var content: Content { entries[index].content }

  mutating func advance() { index += 1 }

  private mutating func add(_ content: Content, at place: [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: place)
    entries.append(Entry(place: start..<bytes.count, content: content))
  }

  private mutating func add(_ value: TreeValue, at place: inout [UInt8]) {
    switch value {
    case .leaf(let leaf): add(.leaf(leaf), at: place)
    case .node(let children):
      let children = children.map { Child(child: $0) }
      if place.count > TreePlace.longestInline {
        add(.anchor(children), at: place)
      } else {
        add(children[...], below: &place)
      }
    }
  }

  private mutating func add(_ children: ArraySlice<Child>, below place: inout [UInt8]) {
    let length = place.count
    var rest = children
    while let first = rest.popFirst() {
      if let offset = Self.append(first, to: &place) {
        // The names that share the piece follow one another, and continue in the segment of its anchor.
        var group = [Child(child: first.child, offset: offset)]
        while let next = rest.first {
          var other = Array(place[..<length])
          guard let offset = Self.append(next, to: &other), other == place else { break }
          group.append(Child(child: next.child, offset: offset))
          rest.removeFirst()
        }
        add(.anchor(group), at: place)
      } else {
        add(first.child.value, at: &place)
      }
      place.removeLast(place.count - length)
    }
  }

  private static func append(_ child: Child, to place: inout [UInt8]) -> Int? {
    var name = child.child.name
    return name.withUTF8 {
      TreeComponent.append(UnsafeRawBufferPointer($0), from: child.offset, to: &place)
    }
  }
}
