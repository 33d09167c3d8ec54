import { expect, test } from 'vitest'
import { fieldOf } from './fields.ts'

test('a title names the field of its badge', () => {
  const titles = {
    'AWS Certified Advanced Networking - Specialty': 'networking',
    'AWS Certified Security - Specialty': 'security',
    'AWS Certified Generative AI Developer - Professional': 'ai',
    'AWS Certified Machine Learning Engineer - Associate': 'ai',
    'AWS Certified AI Practitioner': 'ai',
    'AWS Certified Data Engineer - Associate': 'data',
    'AWS Certified DevOps Engineer - Professional': 'operations',
    'AWS Certified CloudOps Engineer - Associate': 'operations',
    'AWS Certified Developer - Associate': 'developer',
    'AWS Certified Solutions Architect - Associate': 'architecture',
    'AWS Certified Cloud Practitioner': 'practitioner',
    'A course of yesterday': null,
  }
  expect(Object.keys(titles).map(fieldOf)).toEqual(Object.values(titles))
})
