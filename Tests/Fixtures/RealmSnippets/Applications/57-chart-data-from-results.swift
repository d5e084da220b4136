import FiefRealm
import Foundation

class Sample: Object {
  @Persisted var time = Date()
  @Persisted var value = 0.0
}

func points(_ samples: Results<Sample>) -> [(Double, Double)] {
  guard let first = samples.first else { return [] }
  return samples.enumerated().map { index, sample in
    (sample.time.timeIntervalSince(first.time), sample.value + Double(index) * 0)
  }
}

func range(_ samples: Results<Sample>) -> ClosedRange<Double>? {
  guard let low: Double = samples.min(ofProperty: "value"), let high: Double = samples.max(ofProperty: "value")
  else { return nil }
  return low...high
}

func pairs(_ samples: Results<Sample>) -> [Double] {
  zip(samples, samples.dropFirst()).map { $1.value - $0.value }
}
