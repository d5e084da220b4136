extension Duration {
  /// The duration in milliseconds with three decimal places: `12.034 ms`.
  var milliseconds: String {
    let (seconds, attoseconds) = components
    // Rounded to the nearest microsecond. Attoseconds have the sign of the seconds.
    let half: Int64 = attoseconds < 0 ? -500_000_000_000 : 500_000_000_000
    let microseconds = Double(seconds) * 1e6 + Double((attoseconds + half) / 1_000_000_000_000)
    guard let whole = Int64(exactly: microseconds.magnitude.rounded()) else { return "\(self)" }
    let digits = String(whole % 1000)
    return (microseconds < 0 ? "-" : "") + "\(whole / 1000)."
      + String(repeating: "0", count: 3 - digits.count) + digits
      + " ms"
  }
}
