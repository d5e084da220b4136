/// The plan by which a query finds its objects; ``Results/explain(_:)`` returns it.
///
/// Its description is for people, and may change from version to version.
public struct QueryPlan: Sendable, Hashable {
  /// The source of the objects.
  public indirect enum Access: Sendable, Hashable {
    /// Nowhere: no object can fulfil the condition.
    case nothing
    /// All objects of the type are read.
    case scan
    /// Ranges of primary keys.
    case key(ranges: [String])
    /// Ranges of an index, by the names of its properties; all of it where there are none.
    case index([String], ranges: [String])
    /// The objects that link to certain ones along a property.
    case links(String)
    /// The objects of a list, a set or a map: the names of the properties that lead to it, the type and the key of
    /// the object that has it.
    case elements(String, of: String, key: String)
    /// The words of a full-text index.
    case fullText([String])
    /// The objects that are in all of several sources; the one with the fewest is the first.
    case intersection([Access])
    /// The objects that are in at least one of several sources.
    case union([Access])
  }

  /// The result that a query is run for.
  public enum Use: Sendable, Hashable {
    /// The objects, in their order.
    case objects
    /// Their number, or whether there is one.
    case count
    /// The least value of the property with a name.
    case min(String)
    /// The greatest value of the property with a name.
    case max(String)
    /// The sum of the property with a name.
    case sum(String)
    /// The mean of the property with a name.
    case average(String)
  }

  /// The source of the objects' order.
  public enum Order: Sendable, Hashable {
    /// They are found in that order.
    case found
    /// They are sorted.
    case sorted
    /// They are sorted, keeping this number at a time.
    case sortedKeeping(Int)
  }

  /// The name of the type.
  public var type: String
  /// The source of the objects.
  public var access: Access
  /// The source of the objects' order.
  public var order: Order
  /// Whether the objects are found from the last to the first.
  public var isBackward: Bool
  /// The estimated number of objects or index entries that are read to find all of them.
  public var estimatedRows: Int
  /// The number of objects of the type.
  public var totalRows: Int
  /// The condition that is checked on each object read, in the text form of queries; nil where the access
  /// answers the whole condition. Then counting the objects reads none of them.
  public var condition: String?
  /// Whether bounds of a page are part of the access.
  public var appliesBounds: Bool
  /// Whether the keys of objects or the entries of an index have all of the requested values. Then no object
  /// is read, but one whose value is too long for an entry.
  public var isIndexOnly = false
}

extension QueryPlan: CustomStringConvertible {
  /// The plan in a few lines.
  public var description: String {
    var lines = ["\(type): \(access)\(isBackward ? ", backward" : "")"]
    lines.append("  looks at about \(estimatedRows) of \(totalRows)")
    if isIndexOnly { lines.append("  index only") }
    if let condition { lines.append("  checks \(condition)") }
    switch order {
    case .found: lines.append("  needs no sort")
    case .sorted: lines.append("  sorts, in memory or beyond its limit in a temporary file")
    case .sortedKeeping(let count): lines.append("  sorts, and keeps the first \(count)")
    }
    if appliesBounds { lines.append("  begins and ends at the bounds of the page") }
    return lines.joined(separator: "\n")
  }
}

extension QueryPlan {
  /// The plan in one line, without values of the query and keys: for logs.
  package var textWithoutValues: String {
    var parts = ["\(access.textWithoutValues)\(isBackward ? ", backward" : "")"]
    parts.append("looks at about \(estimatedRows) of \(totalRows)")
    if isIndexOnly { parts.append("index only") }
    if condition != nil { parts.append("checks each") }
    if order != .found { parts.append("sorts") }
    return parts.joined(separator: "; ")
  }
}

extension QueryPlan.Access {
  fileprivate var textWithoutValues: String {
    switch self {
    case .nothing, .scan, .links, .fullText: description
    case .key(let ranges): "primary key, \(ranges.count) ranges"
    case .index(let columns, let ranges):
      "index (\(columns.joined(separator: ", ")))" + (ranges.isEmpty ? "" : ", \(ranges.count) ranges")
    case .elements(let path, let type, _): "elements of \(path) of \(type)"
    case .intersection(let parts):
      "both of " + parts.map { "[\($0.textWithoutValues)]" }.joined(separator: " and ")
    case .union(let parts): "any of " + parts.map { "[\($0.textWithoutValues)]" }.joined(separator: " or ")
    }
  }
}

extension QueryPlan.Access: CustomStringConvertible {
  /// The access in one line.
  public var description: String {
    switch self {
    case .nothing: "nothing"
    case .scan: "all objects"
    case .key(let ranges): "primary key " + ranges.joined(separator: " or ")
    case .index(let columns, let ranges):
      "index (\(columns.joined(separator: ", ")))"
        + (ranges.isEmpty ? "" : " " + ranges.joined(separator: " or "))
    case .links(let column): "links of \(column)"
    case .elements(let path, let type, let key): "elements of \(path) of \(type) \(key)"
    case .fullText(let columns): "words of (\(columns.joined(separator: ", ")))"
    case .intersection(let parts): "both of " + parts.map { "[\($0)]" }.joined(separator: " and ")
    case .union(let parts): "any of " + parts.map { "[\($0)]" }.joined(separator: " or ")
    }
  }
}
