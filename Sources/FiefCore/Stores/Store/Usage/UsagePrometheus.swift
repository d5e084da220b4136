extension Usage {
  /// The counts in the text format that Prometheus scrapes, version 0.0.4.
  ///
  /// ```
  /// # HELP fief_reads_total Cost reads, by type.
  /// # TYPE fief_reads_total counter
  /// fief_reads_total{store="pets",type="Dog"} 21
  /// ```
  /// Labels have separate metric families, such as `fief_label_reads_total{store="pets",label="profile"}`, so
  /// the sum of a family counts nothing twice.
  public var prometheusText: String { Self.prometheusText([self]) }

  /// Returns the counts of several stores as one text. Each family has one header, as the format requires.
  ///
  /// - Parameter usages: the counts of the stores, each store once.
  public static func prometheusText(_ usages: [Usage]) -> String {
    var text = ""
    for (name, help, count) in families {
      write(
        "fief_\(name)_total",
        "\(help), by type.",
        "type",
        usages.map { ($0.store, $0.types) },
        count,
        &text
      )
    }
    for (name, help, count) in families {
      write(
        "fief_label_\(name)_total",
        "\(help), by label.",
        "label",
        usages.map { ($0.store, $0.labels) },
        count,
        &text
      )
    }
    return text
  }

  private static let families: [(name: String, help: String, count: @Sendable (Counts) -> UInt64)] = [
    ("reads", "Cost reads", { $0.reads }),
    ("writes", "Objects put", { $0.writes }),
    ("deletes", "Objects deleted", { $0.deletes }),
    ("read_bytes", "Bytes of keys and records that were read", { $0.bytesRead }),
    ("written_bytes", "Bytes of keys and records that were put", { $0.bytesWritten }),
  ]

  private static func write(
    _ name: String,
    _ help: String,
    _ key: String,
    _ stores: [(name: String, counts: [String: Counts])],
    _ count: (Counts) -> UInt64,
    _ text: inout String
  ) {
    if stores.allSatisfy(\.counts.isEmpty) { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
    for store in stores {
      for (value, counts) in store.counts.sorted(by: { $0.key < $1.key }) {
        text += "\(name){store=\"\(escaped(store.name))\",\(key)=\"\(escaped(value))\"} \(count(counts))\n"
      }
    }
  }

  /// Returns the value of a label, with backslashes, quotes and line feeds escaped as the format requires.
  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
