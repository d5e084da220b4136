import Foundation

/// The syntax tree of a query's text, before names are resolved.
indirect enum QuerySyntax {
  case value(QueryValue)
  /// A number with more digits than a double has. The decimal has all digits.
  case longNumber(Double, Decimal)
  /// A text that a user typed as an argument. Its kind depends on the other operand.
  case untyped(String, at: Int)
  case list([QuerySyntax], at: Int)
  /// A range that includes both ends.
  case range(QueryValue, QueryValue, at: Int)
  /// An embedded object that the application passed as an argument.
  case embedded(QueryEmbedded, at: Int)
  /// A region of the earth.
  case region(GeoRegion, at: Int)
  case path(Path)
  case arithmetic(QuerySyntax, QueryArithmetic, QuerySyntax)
  case negative(QuerySyntax)
  case coalesced(QuerySyntax, QuerySyntax)
  case conditional(QuerySyntax, QuerySyntax, QuerySyntax)
  case length(QuerySyntax)
  case lowercased(QuerySyntax)
  case uppercased(QuerySyntax)
  case key(type: String, text: String, at: Int)
  case count(Path, Scope?, QuerySyntax)
  case quantified(QueryQuantifier, Path, Scope?, QuerySyntax)
  case constant(Bool)
  case not(QuerySyntax)
  case all([QuerySyntax])
  case any([QuerySyntax])
  case comparison(QuerySyntax, QueryComparison, QuerySyntax, QueryTextOptions, at: Int)
  case membership(QuerySyntax, QuerySyntax, QueryTextOptions, at: Int)
  case between(QuerySyntax, QuerySyntax, QueryTextOptions, at: Int)
  case matches(QuerySyntax, QuerySyntax, at: Int)
  case within(QuerySyntax, QuerySyntax, at: Int)

  /// The variable that refers to the element in a condition.
  struct Scope {
    let variable: String
  }

  /// A path to a value: `ANY dogs.age`, `$d.name`, `map['key']`, `dogs.@sum.age`.
  struct Path {
    enum Root {
      /// The object to which names refer, or `SELF`.
      case names
      case variable(String)
    }

    enum Step {
      case name(String, at: Int)
      case mapKey(String, at: Int)
      case index(Int, at: Int)
      /// `[*]`
      case parts(at: Int)
      case keys(at: Int)
      case values(at: Int)
    }

    enum Tail {
      case count(at: Int)
      case length(at: Int)
      case type(at: Int)
      case aggregate(QueryAggregate, [Step], at: Int)
    }

    /// Identifies the path among the paths of a text.
    var id: Int
    var start: Int
    var root: Root
    var steps: [Step]
    var tail: Tail?
    var quantifier: QueryQuantifier?
  }
}

extension QuerySyntax.Path.Step {
  var start: Int {
    switch self {
    case .name(_, let start), .mapKey(_, let start), .index(_, let start), .parts(let start),
      .keys(let start),
      .values(let start):
      start
    }
  }
}

/// A clause after a condition.
enum QueryClause {
  struct Order {
    /// The path, or `nil` to order by full-text relevance.
    var path: QuerySyntax.Path?
    var ascending = true
    var nils = QueryOrder.Nils.smallest
    var collation = QueryOrder.Collation.bytes
  }

  case sort([Order])
  case distinct([QuerySyntax.Path])
  case offset(Int)
  case limit(QueryDescription.Limit)
}

/// A whole text: an optional condition, and the clauses.
struct QuerySentence {
  var condition: QuerySyntax?
  var clauses: [QueryClause] = []
}
