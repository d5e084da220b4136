import Fief

/// Generates the source of a diagram of a store's types.
struct SchemaDiagram {
  private let name: String
  private let types: [DynamicType]

  init(_ name: String, _ types: [DynamicType]) {
    self.name = name
    self.types = types
  }

  /// A link or a composition between two types.
  private struct Edge {
    let from: String
    let to: String
    let property: String
    let isPart: Bool
    /// The number of objects at the end of the edge for one object at its beginning.
    let many: String
  }

  private var edges: [Edge] {
    types.flatMap { type in
      type.columns.compactMap { column -> Edge? in
        guard column.type.kind == .link || column.type.kind == .embedded, let target = column.type.target
        else { return nil }
        let many = column.type.container != .none ? "*" : column.type.isOptional ? "0..1" : "1"
        return Edge(
          from: type.name,
          to: target,
          property: column.name,
          isPart: column.type.kind == .embedded,
          many: many
        )
      }
    }
  }

  /// Returns the labels of a column, without parentheses, because Mermaid would interpret them as a method.
  private func marks(_ column: PropertySchema) -> String {
    var marks: [String] = []
    if column.isPrimaryKey { marks.append("key") }
    if column.isIndexed { marks.append("indexed") }
    if column.isSecret { marks.append("secret") }
    if let origin = column.originProperty { marks.append("inverse of \(origin)") }
    return marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]"
  }

  // MARK: Mermaid

  /// Returns a Mermaid class diagram.
  func mermaid() -> String {
    var text = "classDiagram\n"
    for type in types {
      guard let id = mermaidID(type.name) else { continue }
      let label = id == type.name ? "" : "[\"\(mermaidText(type.name))\"]"
      text += "  class \(id)\(label) {\n"
      if type.isEmbedded { text += "    <<embedded>>\n" }
      for column in type.columns {
        // Mermaid's generic types do not support commas, and the keys of maps are always texts.
        let kind = ValueText.type(of: column).replacing("Map<String, ", with: "Map<")
        text += "    \(mermaidText(kind)) \(mermaidText(column.name + marks(column)))\n"
      }
      text += "  }\n"
    }
    for edge in edges {
      guard let from = mermaidID(edge.from), let to = mermaidID(edge.to) else { continue }
      let arrow = edge.isPart ? "*--" : "-->"
      text += "  \(from) \"\(edge.isPart ? "1" : "*")\" \(arrow) \"\(edge.many)\" \(to)"
      text += " : \(mermaidText(edge.property))\n"
    }
    return text
  }

  /// Returns the identifier of a type in the source: its name, or a number if the name has other characters.
  private func mermaidID(_ type: String) -> String? {
    guard let index = types.firstIndex(where: { $0.name == type }) else { return nil }
    let isPlain = type.utf8.allSatisfy { unit in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= unit | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= unit
    }
    return isPlain ? type : "T\(index)"
  }

  /// Replaces brackets, which have a meaning in Mermaid. `~` represents the brackets of generic types.
  private func mermaidText(_ text: String) -> String {
    String(
      text.map { character in
        switch character {
        case "<", ">": "~"
        case "\"", "{", "}", "\n", ":", ";": "_"
        default: character
        }
      }
    )
  }

  // MARK: Graphviz

  /// Returns a Graphviz graph.
  func graphviz() -> String {
    var text = "digraph \(quoted(name)) {\n"
    text +=
      "  rankdir=LR;\n  node [shape=plain, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\", fontsize=10];\n"
    for type in types {
      let style = type.isEmbedded ? " BGCOLOR=\"#eeeeee\"" : " BGCOLOR=\"#cfe2f3\""
      let heading = type.isEmbedded ? "<I>\(escaped(type.name))</I>" : "<B>\(escaped(type.name))</B>"
      text += "  \(quoted(type.name)) [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\">\n"
      text += "    <TR><TD COLSPAN=\"2\"\(style)>\(heading)</TD></TR>\n"
      for column in type.columns {
        text += "    <TR><TD ALIGN=\"LEFT\">\(escaped(column.name + marks(column)))</TD>"
        text += "<TD ALIGN=\"LEFT\">\(escaped(ValueText.type(of: column)))</TD></TR>\n"
      }
      text += "  </TABLE>>];\n"
    }
    for edge in edges {
      let tail =
        edge.isPart ? "dir=both, arrowtail=diamond, arrowhead=none, taillabel=\"1\"" : "taillabel=\"*\""
      text += "  \(quoted(edge.from)) -> \(quoted(edge.to)) "
      text += "[label=\(quoted(edge.property)), \(tail), headlabel=\"\(edge.many)\"];\n"
    }
    return text + "}\n"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
