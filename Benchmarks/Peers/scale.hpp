// Rows of `make bench-scale`: each in a process of its own, on stores of any size, in little memory.
// Answers: seconds, operations, a digest that all peers must agree on, and the peak and the anonymous memory in KiB.
#pragma once
#include "rows.hpp"

static int scale(int argc, char** argv, Peer& peer) { // scale ROW DIR N [BATCH]
    REQUIRE(argc >= 5); std::string row = argv[2], dir = argv[3]; int64_t N = atoll(argv[4]); long hwm = 0, anon = 0; double t = 0, ops = 0; uint64_t sum = 0;
    Schema s = row == "F2" || row == "load_idx" ? INDEXED : PLAIN; bool loads = row.compare(0, 4, "load") == 0;
    auto note = [&] { hwm = status_kb("VmHWM"); anon = std::max(anon, status_kb("RssAnon")); };
    if (loads) { fresh_dir(dir); }
    peer.open(dir, s, loads);
    // The median of three runs, after one that does not count.
    auto reading = [&](const std::function<void()>& run) { run(); std::vector<double> v; for (int i = 0; i < 3; i++) v.push_back(timed(run)); return median(v); };
    std::vector<int64_t> keys;
    // Keys in no order, without repetition: N has no factor but 2 and 5.
    auto spread = [&](int64_t n) { for (int64_t i = 0; i < n; i++) keys.push_back(1 + (int64_t)((uint64_t)i * 3090169943ULL % (uint64_t)N)); };
    auto persons = [](int64_t from, int64_t n) { std::vector<Person> v(n); for (int64_t i = 0; i < n; i++) gen_person(from + i, v[i]); return v; };
    if (loads) {
        REQUIRE(argc >= 6); int64_t batch = atoll(argv[5]);
        for (int64_t from = 1; from <= N; from += batch) { auto v = persons(from, std::min(batch, N + 1 - from)); t += timed([&] { peer.bulkInsert(v); }); anon = std::max(anon, status_kb("RssAnon")); }
        ops = (double)N; note(); sum = peer.count();
    } else if (row == "C") {
        Rng r(12345); for (int i = 0; i < 100000; i++) keys.push_back(1 + (int64_t)(r.next() % N));
        t = reading([&] { sum = peer.pointReads(keys); }); ops = (double)keys.size(); note();
    } else if (row == "D" || row == "D_place" || row == "D_place_sort") { Cnt c; t = reading([&] { c = peer.scan(false); }); ops = (double)c.count; sum = c.sum; note();
    } else if (row == "F2") { Cnt c; t = reading([&] { c = peer.filterAgeEq(37); }); ops = (double)c.count; sum = c.sum; note();
    } else if (row == "H") { spread(std::min<int64_t>(10000, N / 2)); peer.pointReads(keys); t = timed([&] { peer.updateBalance(keys); }); ops = (double)keys.size(); note(); sum = peer.scan(false).sum;
    } else if (row == "delete_list") { spread(std::min<int64_t>(10000, N / 10)); t = timed([&] { peer.deleteMany(keys); }); ops = (double)keys.size(); note(); sum = peer.count();
    } else if (row == "B") { auto v = persons(N + 1, 1000); t = timed([&] { for (auto& p : v) peer.insertOneCommit(p); }); ops = 1000; note(); sum = peer.scan(false).sum;
    } else DIE("no row %s", row.c_str());
    peer.close(); printf("%.9f %.0f %llu %ld %ld %llu\n", t, ops, (unsigned long long)sum, hwm, anon, (unsigned long long)dir_bytes(dir)); return 0;
}
