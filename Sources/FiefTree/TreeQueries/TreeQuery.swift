import Fief

/// The children of a place in an order, possibly bounded and limited.
///
/// ```swift
/// let newest = try room.queryOrdered(byChild: "at").queryLimited(toLast: 20)
/// for message in try newest.snapshot().children { print(message.json["text"]) }
/// ```
/// A query is a value: it holds no data and no transaction, and any task may use it. It has one order, at
/// most one start, one end and one limit. Without an order, it is ordered by keys and has no bounds.
///
/// Values are ordered by their types: absent, `false`, `true`, numbers, texts by their UTF-8 bytes, nodes with
/// children. Integers and doubles compare exactly. Equal values are ordered by the keys of their children. A
/// range crosses types: it begins at a number and includes every text and every node with children, unless it
/// has an end.
///
/// The order of keys is the order of the tree, so a query by key reads its window only. Any other query with
/// bounds or a limit reads all children of its place, unless an index serves it.
public struct TreeQuery: Sendable {
  /// The place of the query; the root for a group.
  let reference: TreeReference
  let selection: TreeSelection

  /// Returns the query with a part more.
  func adding(_ change: (TreeSelection) throws -> TreeSelection) rethrows -> TreeQuery {
    TreeQuery(reference: reference, selection: try change(selection))
  }
}
