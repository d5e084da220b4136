extension StructuralWalk {
  /// Checks the description of a value in a leaf's node, and takes the value's pages.
  func check(_ node: Node, _ page: UInt64, _ kind: Kind, _ sizes: inout TreeSizes) throws(LMDBError) {
    switch node.flags {
    case 0: break
    case PageFlags.bigData: try takeOverflow(node, page, &sizes)
    case PageFlags.subtree where kind == .main: break
    default: throw damaged(page, "wrong node flags")
    }
    switch kind {
    case .named: break
    case .main: try checkMain(node, page)
    case .free: try checkFree(node, page)
    }
  }

  /// Checks an entry of the main tree. A name without a NUL byte belongs to a database; a name that contains
  /// a NUL byte belongs to a record of this library.
  private func checkMain(_ node: Node, _ page: UInt64) throws(LMDBError) {
    let isDatabase = !node.key.contains(0)
    guard isDatabase == (node.flags == PageFlags.subtree) else {
      throw damaged(page, "a database's entry is invalid")
    }
    guard isDatabase else { return }
    // A name must be text; otherwise it would be listed as a different name, which no database has.
    guard isText(node.key) else {
      throw damaged(page, "a tree's name is not text")
    }
    guard node.inline.count == TreeRecord.size else { throw damaged(page, "wrong size of a tree's record") }
    let tree = TreeRecord(node.inline)
    guard tree.flags & ~PageFlags.treeFlags == 0, tree.pad == 0 || tree.flags != 0 else {
      throw damaged(page, "wrong flags of a tree")
    }
    guard tree.flags == 0 else {
      throw LMDBError(
        .incompatible,
        "A database has flags that a store does not use.",
        path: path,
        detail: String(decoding: node.key, as: UTF8.self)
      )
    }
    if let flaw = tree.flaw(lastPage: meta.lastPage) { throw damaged(page, flaw) }
    subtrees.append(Subtree(tree))
  }

  private func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Validating requires the runtime to create types, and most names do not need it.
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  private func takeOverflow(_ node: Node, _ page: UInt64, _ sizes: inout TreeSizes) throws(LMDBError) {
    let first = node.inline.loadUnaligned(as: UInt64.self)
    try take(first)
    let header = UnsafeMutableRawBufferPointer(rebasing: scratch[0..<Page.headerSize])
    try read(header, at: Int(first) * meta.pageSize)
    let count = UInt64(header.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard header.loadUnaligned(fromByteOffset: 0, as: UInt64.self) == first,
      header.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.overflow
    else { throw damaged(first, "not an overflow page") }
    let needed = UInt64((Page.headerSize + node.valueSize + meta.pageSize - 1) / meta.pageSize)
    // A value may be shorter than its pages, but never longer.
    guard count >= needed, count <= meta.lastPage - first + 1 else {
      throw damaged(first, "wrong number of overflow pages")
    }
    for next in first + 1..<first + count { try take(next) }
    sizes.overflow += count
  }

  /// Checks an entry of the free list: the commit that freed pages, and a count followed by the numbers of
  /// the pages.
  private func checkFree(_ node: Node, _ page: UInt64) throws(LMDBError) {
    let freeing = node.key.loadUnaligned(as: UInt64.self)
    guard freeing <= meta.transaction else { throw damaged(page, "pages freed by a later commit") }
    lastFreeing = max(lastFreeing, freeing)
    guard node.valueSize >= 8, node.valueSize & 7 == 0 else {
      throw damaged(page, "wrong size of a free list")
    }
    var offset = 0
    var left: UInt64 = 0
    var previous = UInt64.max
    while offset < node.valueSize {
      let chunk = try freeListBytes(node, at: offset)
      var position = 0
      while position < chunk.count {
        let value = chunk.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if offset == 0, position == 0 {
          guard value <= UInt64(node.valueSize / 8 - 1) else { throw damaged(page, "free list too long") }
          left = value
        } else {
          if left == 0 { return }
          // LMDB merges the lists and relies on their order.
          guard value < previous else { throw damaged(page, "free list out of order") }
          try take(value, mayBeMissing: true)
          report.freePages += 1
          previous = value
          left -= 1
        }
        position += 8
      }
      offset += chunk.count
    }
  }

  /// Returns the next part of a free list, from the node itself or from its overflow pages.
  private func freeListBytes(_ node: Node, at offset: Int) throws(LMDBError) -> UnsafeRawBufferPointer {
    if node.flags & PageFlags.bigData == 0 { return node.inline }
    let first = node.inline.loadUnaligned(as: UInt64.self)
    let count = min(scratch.count, node.valueSize - offset)
    let chunk = UnsafeMutableRawBufferPointer(rebasing: scratch[0..<count])
    try read(chunk, at: Int(first) * meta.pageSize + Page.headerSize + offset)
    return UnsafeRawBufferPointer(chunk)
  }
}
