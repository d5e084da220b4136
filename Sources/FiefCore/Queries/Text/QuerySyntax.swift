import Foundation

/// A query's text as it was understood, before names are looked up.
indirect enum QuerySyntax {
  case value(QueryValue)
  /// A number with more digits than a double has, which are kept next to a decimal.
  case longNumber(Double, Decimal)
  /// A text typed by a user as an argument: its kind depends on the other operand.
  case untyped(String, at: Int)
  case list([QuerySyntax], at: Int)
  /// Both ends are included.
  case range(QueryValue, QueryValue, at: Int)
  /// An embedded object of the application's.
  case embedded(QueryEmbedded, at: Int)
  /// A part of the earth.
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

  /// The variable that a condition calls the element.
  struct Scope {
    let variable: String
  }

  /// A path to a value: `ANY dogs.age`, `$d.name`, `map['key']`, `dogs.@sum.age`.
  struct Path {
    enum Root {
      /// The object that names belong to, or `SELF`.
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

    /// Tells the paths of a text apart.
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

/// One of the clauses behind a condition.
enum QueryClause {
  struct Order {
    /// The path; nil for the relevance of the full text.
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

/// A whole text: the condition, if there is one, and the clauses.
struct QuerySentence {
  var condition: QuerySyntax?
  var clauses: [QueryClause] = []
}
