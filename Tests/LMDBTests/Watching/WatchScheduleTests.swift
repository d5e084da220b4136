import Testing

@testable import LMDB

/// When watchers look at their stores.
@Suite struct WatchScheduleTests {
  @Test func aSettledWatcherWaitsForEventsOnly() {
    var schedule = WatchSchedule(now: 100, hasEvents: true, looksAtOnce: false)
    #expect(schedule.listens && schedule.time == nil)
    #expect(!schedule.isDue(now: 5_000, hasEvent: false) && schedule.isDue(now: 5_000, hasEvent: true))
    schedule.looked(now: 5_000, isSettled: true, hasCalled: true)
    // It rests after a call, whatever is written meanwhile.
    #expect(!schedule.listens && schedule.time == 5_003)
    #expect(!schedule.isDue(now: 5_002, hasEvent: true) && !schedule.isDue(now: 5_003, hasEvent: true))
    #expect(schedule.listens && schedule.time == nil && schedule.isDue(now: 5_003, hasEvent: true))
  }

  @Test func withoutEventsItLooksOnceInASecond() {
    var schedule = WatchSchedule(now: 100, hasEvents: false, looksAtOnce: true)
    #expect(schedule.time == 100 && schedule.isDue(now: 100, hasEvent: false))
    schedule.looked(now: 100, isSettled: true, hasCalled: false)
    #expect(schedule.time == 101 && !schedule.isDue(now: 101, hasEvent: false))
    #expect(schedule.time == 1_101 && !schedule.isDue(now: 1_100, hasEvent: false))
    #expect(schedule.isDue(now: 1_101, hasEvent: false) == true)
  }

  @Test func whatIsNotSettledIsLookedAtLessAndLessOften() {
    var schedule = WatchSchedule(now: 0, hasEvents: true, looksAtOnce: false)
    var now = 0
    var waits: [Int] = []
    for _ in 0..<12 {
      schedule.looked(now: now, isSettled: false, hasCalled: false)
      now += 1
      #expect(schedule.isDue(now: now, hasEvent: false) == false)
      let time = schedule.time ?? 0
      waits.append(time - now)
      now = time
      #expect(schedule.isDue(now: now, hasEvent: false) == true)
    }
    #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000, 1_000, 1_000])
    schedule.looked(now: now, isSettled: true, hasCalled: false)
    _ = schedule.isDue(now: now + 1, hasEvent: false)
    #expect(schedule.time == nil)
    schedule.losesEvents()
    schedule.looked(now: now, isSettled: true, hasCalled: false)
    _ = schedule.isDue(now: now + 1, hasEvent: false)
    #expect(schedule.time == now + 1_001)
  }
}
