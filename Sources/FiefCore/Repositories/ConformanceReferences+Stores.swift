import Foundation

extension ConformanceReferences {
  /// The conformances in the folders between objects and repositories.
  static var ofStores: [Any.Type] {
    let expressions: [any TranslatableExpression.Type] = [
      PredicateExpressions.Negation<PredicateExpressions.Value<Bool>>.self,
      PredicateExpressions.UnaryMinus<PredicateExpressions.Value<Int>>.self,
      PredicateExpressions.SequenceMaximum<PredicateExpressions.Value<[Int]>>.self,
      PredicateExpressions.SequenceStartsWith<
        PredicateExpressions.Value<String>, PredicateExpressions.Value<String>
      >.self,
      PredicateExpressions.Variable<Int>.self,
    ]
    let encodable: [any Encodable.Type] = [
      List<Int>.self, LinkingObjects<Object>.self,
    ]
    let described: [any CustomStringConvertible.Type] = [List<Int>.self]
    let sequences: [any Sequence.Type] = [Results<Object>.self]
    let numbers: [any _QueryableNumber.Type] = [Date.self]
    let equatable: [any Equatable.Type] = [List<Int>.self, Store.self, Results<Object>.self]
    let collections: [any LinkedElement.Type] = [List<Int>.self]
    let wholes: [any CollectionValue.Type] = [[Int].self]
    let queried: [any _QueryableCollection.Type] = [[Int].self]
    let stored: [any _QueryableStored.Type] = [Data.self]
    let keys: [any QueryableKeys.Type] = [Results<Object>.self]
    let queries: [any ObjectQuery.Type] = [List<Object>.self, EmbeddedResults<EmbeddedObject>.self]
    let aggregates: [any ValueAggregates.Type] = [List<Int>.self]
    let values: [Any.Type] = collections + wholes + queried + stored + keys + queries + aggregates
    return values + expressions + encodable + described + sequences + numbers + equatable
  }
}
