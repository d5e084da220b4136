/// The plan of a query, as returned by ``Results/explain(_:)``.
///
/// The description is meant for people and may change between versions.
public struct QueryPlan: Sendable, Hashable {
  /// The source of the objects.
  public indirect enum Access: Sendable, Hashable {
    /// No objects are read, because no object can fulfil the condition.
    case nothing
    /// All objects of the type.
    case scan
    /// Ranges of primary keys.
    case key(ranges: [String])
    /// Ranges of an index, given by the names of its properties. Without ranges, the query reads the whole
    /// index.
    case index([String], ranges: [String])
    /// The objects that link to certain objects through a property.
    case links(String)
    /// The objects of a list, a set or a map: the names of the properties that lead to the collection, and
    /// the type and the key of its owner.
    case elements(String, of: String, key: String)
    /// The words of a full-text index, given by the names of its properties.
    case fullText([String])
    /// The objects that are in all of several sources. The first source is the one with the fewest objects.
    case intersection([Access])
    /// The objects that are in at least one of several sources.
    case union([Access])
  }

  /// The purpose for which a query runs.
  public enum Use: Sendable, Hashable {
    /// The objects, in their order.
    case objects
    /// The number of objects, or whether any exist.
    case count
    /// The minimum of a property.
    case min(String)
    /// The maximum of a property.
    case max(String)
    /// The sum of a property.
    case sum(String)
    /// The mean of a property.
    case average(String)
  }

  /// How the order of the objects is obtained.
  public enum Order: Sendable, Hashable {
    /// The access path returns the objects in their order.
    case found
    /// The query sorts the objects.
    case sorted
    /// The query sorts the objects, and keeps only this number of objects.
    case sortedKeeping(Int)
  }

  /// The name of the type.
  public var type: String
  /// The source of the objects.
  public var access = Access.nothing
  /// How the order of the objects is obtained.
  public var order = Order.found
  /// A Boolean value that indicates whether the objects are read from the last to the first.
  public var isBackward = false
  /// The estimated number of objects or index entries that the query reads to find all objects.
  public var estimatedRows = 0
  /// The number of objects of the type.
  public var totalRows = 0
  /// The condition that the query evaluates on each object read, in the text form of queries.
  ///
  /// It is `nil` if the access path answers the whole condition. Counting the objects then reads no object.
  public var condition: String?
  /// A Boolean value that indicates whether the access path begins and ends at the bounds of a page.
  public var appliesBounds = false
  /// A Boolean value that indicates whether the keys of objects or the entries of an index contain all
  /// requested values.
  ///
  /// An object is then read only if its value is too long for an entry.
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
  /// The plan in one line, without keys and without values of the query, for logs.
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

extension QueryPlan.Access {
  /// Creates the description of an access to the candidates of an index.
  init(_ candidates: any IndexCandidates) {
    let names = candidates.index.columns.map(\.name)
    switch candidates.index.entry.kind {
    case .ordered: self = .index(names, ranges: [])
    case .fullText: self = .fullText(names)
    }
  }
}
