// The rows about observers: the cost of commits that are observed, and changes of sorted objects.
#pragma once
#include "rows.hpp"

// What becomes of a sorted collection: deletions are places in the old one, the others places in the new one.
struct Difference { std::vector<size_t> deletions, insertions, modifications; };

// Of the objects in both as many stay as can without one passing another.
static inline Difference difference(const std::vector<RowStamp>& old, const std::vector<RowStamp>& now) {
    int64_t most = 0; for (auto& r : old) most = std::max(most, r.id); for (auto& r : now) most = std::max(most, r.id);
    std::vector<int32_t> places(most + 1, -1); for (size_t i = 0; i < old.size(); i++) places[old[i].id] = (int32_t)i;
    std::vector<int32_t> ends, before(now.size(), -1);
    for (size_t i = 0; i < now.size(); i++) {
        int32_t p = places[now[i].id]; if (p < 0) continue;
        auto end = ends.empty() || places[now[ends.back()].id] < p ? ends.end() : std::lower_bound(ends.begin(), ends.end(), p, [&](int32_t e, int32_t q) { return places[now[e].id] < q; });
        if (end != ends.begin()) before[i] = *(end - 1);
        if (end == ends.end()) ends.push_back((int32_t)i); else *end = (int32_t)i;
    }
    std::vector<char> stays(now.size(), 0), kept(old.size(), 0); Difference d;
    for (int32_t i = ends.empty() ? -1 : ends.back(); i >= 0; i = before[i]) { stays[i] = 1; kept[places[now[i].id]] = 1; }
    for (size_t i = 0; i < now.size(); i++) if (!stays[i]) d.insertions.push_back(i); else if (now[i].stamp != old[places[now[i].id]].stamp) d.modifications.push_back(i);
    for (size_t i = 0; i < old.size(); i++) if (!kept[i]) d.deletions.push_back(i);
    return d;
}

inline void Rows::addObserving() {
    for (int observers : { 0, 1, 100, 1000 }) {
        auto suffix = "_" + std::to_string(observers);
        rows["W" + suffix] = [=](int times) { return watched(times, observers, false); };
        rows["Wq" + suffix] = [=](int times) { return watched(times, observers, true); };
    }
    rows["Tell"] = [](int) { return Figure{ handoff(), 1 }; };
    std::unique_ptr<Peer> probe(make_peer()); if (!probe->hasOrder()) return;
    auto changed = [this](double balance) { return w.fullAfter([=](Person& q) { q.balance = balance; }); };
    compared("Diff_same", true, w.N, changed(-1), [this](Peer& p) { p.setBalance(w.pick, -1); });
    compared("Diff_move", false, w.N, w.fullAfter([](Person& q) { q.age = (q.id * 7) % 100; }), [this](Peer& p) { p.updateAge(w.pick); });
    compared("Diff_del", false, w.N - (int64_t)w.pick.size(), w.fullAfter({}), [this](Peer& p) { p.deleteMany(w.pick); });
    auto more = w.more((int)w.pick.size()); uint64_t full = w.sumFull; for (auto& p : more) full += full_digest(p);
    compared("Diff_add", false, w.N + (int64_t)more.size(), full, [more](Peer& p) { p.bulkInsert(more); });
}

// Commits one after another, each with two objects of 10,000; SQLite has a hook that looks for what is observed.
inline Figure Rows::watched(int times, int observers, bool isVolatile) {
    int64_t n = std::min<int64_t>(10000, w.N); int commits = isVolatile ? 10000 : w.commits(1000);
    std::vector<Person> v(w.persons.begin(), w.persons.begin() + n); std::vector<int64_t> keys{ 1, n / 2 }; uint64_t full = 0;
    for (auto p : v) { if (p.id == keys[0] || p.id == keys[1]) p.balance = -commits; full += full_digest(p); }
    return repeated(times, commits, [&] {
        std::string d = isVolatile ? memory() : work(); if (!isVolatile) fresh_dir(d);
        std::unique_ptr<Peer> p(make_peer()); p->isVolatile = isVolatile; p->open(d, PLAIN, true); p->bulkInsert(v); REQUIRE(p->sumAge() > 0);
        if (!isVolatile) sync_dir(d);
        std::vector<int64_t> observed; for (int i = 0; i < observers; i++) observed.push_back(i < 2 ? keys[i] : i);
        p->observe(observed);
        double t = timed([&] { for (int i = 1; i <= commits; i++) { p->setBalance(keys, -i); p->tell(); } });
        p->observe({}); verify(*p, n, full); p->close(); sh("rm -rf '" + d + "'"); return t; });
}

// All that can be without observers: to read everything again, to sort and to compare.
inline void Rows::compared(const char* name, bool byName, int64_t left, uint64_t full, std::function<void(Peer&)> run) {
    rows[name] = [=](int times) { return repeated(times, (double)w.pick.size(), [&] { return onCopy(PLAIN, left, full, [&](Peer& p) {
        std::vector<RowStamp> old, now; p.order(byName, old); run(p); Difference d;
        double t = timed([&] { p.order(byName, now); d = difference(old, now); });
        REQUIRE((int64_t)(old.size() + d.insertions.size() - d.deletions.size()) == left);
        REQUIRE(d.insertions.size() + d.deletions.size() + d.modifications.size() >= w.pick.size() / 2); return t; }); }); };
}

// The median of a thread's time to wake another one.
inline double Rows::handoff() {
    std::mutex m; std::condition_variable cv; double sent = 0; bool isFull = false, ends = false; std::vector<double> took;
    std::thread other([&] {
        std::unique_lock<std::mutex> l(m);
        while (true) { cv.wait(l, [&] { return isFull || ends; }); if (ends) return; took.push_back(now_s() - sent); isFull = false; cv.notify_all(); } });
    for (int i = 0; i < 1000; i++) {
        std::unique_lock<std::mutex> l(m); sent = now_s(); isFull = true; cv.notify_all(); cv.wait(l, [&] { return !isFull; }); }
    { std::lock_guard<std::mutex> l(m); ends = true; } cv.notify_all(); other.join();
    return median(took);
}
