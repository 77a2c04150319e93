import { describe, expect, it } from 'vitest'
import { spread } from '../src/table/panels/spread-labels'

describe('names beside the chart', () => {
  it('are pushed apart, and only those that must be', () => {
    expect(spread([10, 12, 90], 13, 200)).toEqual([10, 23, 90])
    expect(spread([8, 160, 165, 168], 13, 170)).toEqual([8, 144, 157, 170])
    expect(spread([], 13, 170)).toEqual([])
  })
})
