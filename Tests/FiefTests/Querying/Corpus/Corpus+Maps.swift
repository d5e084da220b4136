import Fief
import Foundation

extension Corpus {
  /// Maps: by key, by any key, by any value.
  mutating func addMaps() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    add(
      "prices['a'] == 1.5",
      where: { $0.prices["a"] == 1.5 },
      #Predicate { $0.prices["a"] == 1.5 },
      plain: { $0.prices["a"] == 1.5 }
    )
    add(
      "prices['b'] > 1",
      where: { $0.prices["b"] > 1 },
      #Predicate { $0.prices["b"].flatMap { $0 > 1 } ?? no },
      plain: { $0.prices["b"] >? 1 }
    )
    add(
      "prices['Key'] == nil",
      where: { $0.prices["Key"] == nil },
      #Predicate { $0.prices["Key"] == nil },
      plain: { $0.prices["Key"] == nil }
    )
    add(
      "prices['a'] < prices['b']",
      where: { $0.prices["a"] < $0.prices["b"] },
      plain: { $0.prices["a"] <? $0.prices["b"] }
    )
    add(
      "prices['missing'] != nil",
      where: { $0.prices["missing"] != nil },
      #Predicate { $0.prices.dictionary["missing"] != nil },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "ANY prices.@keys == 'Key'",
      where: { $0.prices.keys == "Key" },
      #Predicate { $0.prices.keys.contains("Key") },
      plain: { $0.prices["Key"] != nil }
    )
    add(
      "ANY prices.@keys BEGINSWITH[c] 'k'",
      where: { $0.prices.keys.starts(with: "k", options: .caseInsensitive) },
      plain: { $0.prices["Key"] != nil }
    )
    add(
      "ANY prices.@values > 5",
      where: { $0.prices.values > 5 },
      #Predicate { $0.prices.values.contains { $0 > 5 } },
      plain: { $0.prices.values.contains { $0 > 5 } }
    )
    add(
      "ALL prices.@values > 1",
      where: { $0.prices.all { $0 > 1 } },
      #Predicate { $0.prices.values.allSatisfy { $0 > 1 } },
      plain: { $0.prices.values.allSatisfy { $0 > 1 } }
    )
    add(
      "prices.@count == 3",
      where: { $0.prices.count == 3 },
      #Predicate { $0.prices.count == 3 },
      plain: { $0.prices.count == 3 }
    )
    add(
      "3 IN prices",
      where: { $0.prices.contains(3) },
      plain: { $0.prices.values.contains(3) }
    )
    add(
      "prices.@max > 5",
      where: { $0.prices.max > 5 },
      plain: { $0.prices.values.max() >? 5 }
    )
    add(
      "prices.@sum > 5",
      where: { $0.prices.sum > 5 },
      plain: { $0.prices.values.reduce(0, +) > 5 }
    )
    add(
      "names['é'] BEGINSWITH 'A'",
      where: { $0.names["\u{E9}"].starts(with: "A") },
      plain: { $0.names["\u{E9}"]?.starts("A") ?? false }
    )
    add(
      "ANY names.@values CONTAINS 'n'",
      where: { $0.names.values.contains("n") },
      #Predicate { $0.names.values.contains { $0.contains("n") } },
      plain: { $0.names.values.contains { $0.has("n") } }
    )
    add(
      "counts['a'] == 3",
      where: { $0.counts["a"] == 3 },
      plain: { ($0.counts["a"] ?? nil) == 3 }
    )
    add(
      "counts['a'] == nil",
      where: { $0.counts["a"] == nil },
      plain: { ($0.counts["a"] ?? nil) == nil }
    )
    add(
      "ANY counts.@values == nil",
      where: { $0.counts.values == nil },
      plain: { $0.counts.values.contains { $0 == nil } }
    )
    add(
      "toyMap['a'].name == 'rope'",
      where: { $0.toyMap["a"].name == "rope" },
      plain: { ($0.toyMap["a"] ?? nil)?.name == "rope" }
    )
    add(
      "ANY toyMap.@values.price < 1",
      where: { $0.toyMap.price < 1 },
      plain: { $0.toyMap.values.contains { $0?.price <? 1 } }
    )
    add(
      "ANY toyMap.@values.weight > 50",
      where: { $0.toyMap.any { $0.weight > 50 } },
      plain: { $0.toyMap.values.contains { $0?.weight >? 50 } }
    )
  }
}
