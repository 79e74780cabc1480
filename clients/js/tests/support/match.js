import assert from 'node:assert/strict'

/**
 * Compares a value with a pattern, as `clients/scenarios/README.md` says: objects may have members more than the pattern,
 * lists have exactly its elements.
 */
export const match = (actual, pattern, path = 'value') => {
  if (pattern === null || typeof pattern !== 'object') return assert.deepEqual(actual, pattern, `${path}: ${show(actual)}`)
  if (Array.isArray(pattern)) {
    assert.ok(Array.isArray(actual), `${path} is no list: ${show(actual)}`)
    assert.equal(actual.length, pattern.length, `${path} has ${actual.length} elements: ${show(actual)}`)
    return pattern.forEach((element, index) => match(actual[index], element, `${path}[${index}]`))
  }
  if ('$length' in pattern) return assert.equal(actual?.length, pattern.$length, `the length of ${path}`)
  if ('$any' in pattern) return assert.ok(actual !== undefined && actual !== null, `${path} is missing`)
  if ('$between' in pattern) {
    const [low, high] = pattern.$between
    return assert.ok(actual >= low && actual <= high, `${path} is ${actual}, not from ${low} to ${high}`)
  }
  assert.ok(actual !== null && typeof actual === 'object', `${path} is ${show(actual)}`)
  for (const [name, value] of Object.entries(pattern)) {
    if (value && value.$absent) assert.ok(actual[name] === undefined || actual[name] === null, `${path}.${name} is ${show(actual[name])}`)
    else match(actual[name], value, `${path}.${name}`)
  }
}

const show = (value) => JSON.stringify(value)?.slice(0, 400)
