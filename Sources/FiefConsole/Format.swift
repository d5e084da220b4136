/// Formats numbers for users, in the same way for every locale.
package enum Format {
  /// Returns an integer with grouped thousands: `63,666`.
  package static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var grouped = ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return value < 0 ? "-" + grouped : grouped
  }

  /// Returns a number of bytes in binary units: `12.3 MiB`.
  package static func bytes(_ value: Int) -> String {
    if value < 1024 { return "\(value) B" }
    var amount = Double(value)
    var unit = 0
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while amount >= 1024, unit < units.count - 1 {
      amount /= 1024
      unit += 1
    }
    return "\(decimal(amount)) \(units[unit])"
  }

  /// Returns a duration in a suitable unit: `850 ns`, `31.0 us`, `4.2 ms`, `1.24 s`, `2:05`.
  package static func duration(_ value: Duration) -> String {
    let seconds = value.seconds
    switch seconds {
    case ..<0: return "0 ns"
    case ..<1e-6: return "\(Int((seconds * 1e9).rounded())) ns"
    case ..<1e-3: return "\(decimal(seconds * 1e6)) us"
    case ..<1: return "\(decimal(seconds * 1e3)) ms"
    case ..<60: return "\(decimal(seconds, places: 2)) s"
    default: return clock(seconds)
    }
  }

  /// Returns seconds in the form of a clock, rounded up so that half a second is not shown as "0:00".
  package static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "-:--" }
    let whole = Int(seconds.rounded(.up))
    let (minutes, rest) = (whole / 60, whole % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    if minutes < 60 { return "\(minutes):\(tail)" }
    let middle = minutes % 60
    return "\(minutes / 60):\(middle < 10 ? "0" : "")\(middle):\(tail)"
  }

  /// Returns a rate per second: `41,200/s`, or a dash if no time has passed.
  package static func rate(_ amount: Int, in time: Duration) -> String {
    let seconds = time.seconds
    guard seconds > 0 else { return "-/s" }
    return "\(count(Int((Double(amount) / seconds).rounded())))/s"
  }

  /// Returns a number with a fixed number of decimal places, rounded half up.
  package static func decimal(_ value: Double, places: Int = 1) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "-" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let padding = String(repeating: "0", count: max(0, places - fraction.count))
    return "\(value < 0 ? "-" : "")\(count(scaled / scale)).\(padding)\(fraction)"
  }

  /// Returns external text in a form that is safe to print, so that its control characters cannot move the
  /// cursor or change colours.
  package static func printable(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
    if isPlain { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { safe.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(safe)
  }

  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Duration {
  /// The duration in seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
