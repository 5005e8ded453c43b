import type { Language } from '../../src/generator/languages/language.js';

const javascript = `import { a } from "./a.js";
// NOTE
const limit = 10;

export function count(values, low, high = 3) {
    "use strict";
    let total = 0;
    for (const value of values) {
        if (value === null) continue;
        if (value >= low && !(value > high)) {
            total += value - low; // NOTE
        } else {
            total -= 1;
        }
    }
    try {
        a(total, "NOTE", \`NOTE \${total}\`);
        total = Math.max(total, limit);
    } catch {
        total = 0;
    }
    return total % limit > 2 ? total : null;
}

class Counter extends Map {
    first(key) {
        this.last = key;
        this.seen = this.last + "NOTE" + limit;
        return this.get(key) || false;
    }
    second(key) {
        while (limit) {
            if (this.has(key)) throw new Error("NOTE");
            key.push(1);
        }
        return [key.indexOf(limit)];
    }
}
export { Counter };
`;

const typescript = `${javascript}
interface Shape {
    side: 4;
    isOpen: true;
}
type Pair = Shape | 2 | false;
export function typed<Item extends Pair>(item: Item, size: number = 2): 1 | 2 {
    const width: Pair = item as 2;
    if (size > 1) {
        size -= 1;
        return size as 1;
    }
    return 2;
}
`;

/** One program a language that gives most operators a place; \`NOTE\` stands in its comments and strings. */
export const wholePrograms: Readonly<Record<Language['name'], string>> = {
  javascript,
  typescript,
  tsx: typescript,
  python: `import os
from a import b, c as d
# NOTE
LIMIT: int = 10


@os.wrap(2, True)
def count(values: "List[1]", low: int = 1, high: Literal[3] = 3) -> Optional[int]:
    """NOTE

    a < b and not c
    """
    total = 0
    for value in values:
        if value is None:
            continue
        if low <= value <= high and not b(value):
            total += value - low  # NOTE
        else:
            total -= 1
    try:
        with open(total):
            b(total, low, key="NOTE")
            total = max(total, LIMIT)
    except ValueError:
        total = f"""NOTE {total + 1}
    NOTE"""
    if not total:
        raise KeyError("NOTE")
    return total % LIMIT if total > 2 else None


class Counter(dict, d):
    def first(self, key):
        self.last = key
        self.seen = self.last + "NOTE" + "b"
        return self.get(key) or False

    def second(self, key):
        while LIMIT:
            if key in self:
                break
            key.append(1)
        return [key.strip()]
`,
  go: `package p

import "a"

// NOTE
type Shape struct {
    side [4]int
}

func (s *Shape) First(key int) (int, error) {
    total := 0
    for _, value := range s.side {
        if value == 0 {
            continue
        }
        if value >= key && !a.Open(value) {
            total += value - key // NOTE
        } else {
            total -= 1
        }
    }
    s.total = total
    s.total += a.Min(total, key) + 1 + key
    a.Print("NOTE", total)
    return total % 10, nil
}

func (s *Shape) Second(key int) (int, error) {
    if key > 2 || s.open {
        defer a.Close(s, key)
        key++
    }
    return a.Index(key, 1), nil
}
`,
  rust: `use a::b;
// NOTE
#[derive(Debug)]
struct Shape {
    sides: [i32; 4],
}

impl Shape {
    fn first(&self, key: i32) -> Option<i32> {
        let mut total = 0;
        for value in self.sides {
            if value == 0 {
                continue;
            }
            if value >= key && !b(value) {
                total += value - key; // NOTE
            } else {
                total -= 1;
            }
        }
        b(total, key, "NOTE");
        total = total.min(key) + 1 + key;
        Some(total % 10)
    }

    fn second(&self, key: i32) -> Option<i32> {
        let mut total = key;
        while total < 3 || self.is_open() {
            total += 1;
            total = b(total);
        }
        if total == 2 {
            return None;
        }
        println!("NOTE {}", 1 + 2);
        Some(b(total, key.abs()))
    }
}
`,
  java: `package p;

import a.b;

// NOTE
@Name(2)
class Counter extends Base {
    private List<Integer> values;

    @Override
    public int first(int key, int low) throws Error {
        int total = 0;
        for (int value : values) {
            if (value == 0) {
                continue;
            }
            if (value >= low && !open(value)) {
                total += value - low; // NOTE
            } else {
                total -= 1;
            }
        }
        try {
            total = Math.max(total, low);
            log("NOTE", total);
        } catch (Error error) {
            total = 0;
        }
        this.total = total;
        this.total += key;
        return total % 10 > 2 ? total : 3;
    }

    public int second(int key, int low) throws Error {
        if (key > low || closed) {
            throw new Error("NOTE" + key + low);
        }
        key++;
        return this.find(key).trim();
    }
}
`,
};
