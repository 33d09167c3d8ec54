export const copy = {
  'areas.list': 'must be a list of areas',
  'areas.many': 'The question can have at most twenty areas.',
  'area.shape': 'must be rect, circle or polygon',

  'editor.image': 'Picture',
  'editor.image.hint': 'One picture, described in words: ![What it shows](address).',
  'editor.width': 'Width',
  'editor.height': 'Height',
  'editor.areas': 'Areas',
  'editor.areas.hint':
    'Two to twenty, each with a name that says it without the picture. Draw on the picture, or type the numbers in pixels.',
  'editor.area': 'Name of area {letter}',
  'editor.area.add': 'Add an area',
  'editor.area.shape': 'Shape of area {letter}',
  'editor.area.rect': 'Rectangle: left, top, right, bottom',
  'editor.area.circle': 'Circle: x, y, radius',
  'editor.area.polygon': 'Polygon: x, y of each corner',
  'editor.area.numbers': 'Numbers of area {letter}',
  'editor.area.right': 'Area {letter} is right',
  'editor.draw': 'Draw area {letter} on the picture',
  'editor.draw.hint': 'Drag for a rectangle or a circle. Press for each corner of a polygon.',
  'editor.right': 'Right',
  'editor.summary': '{n:right area|right areas} of {all}',

  'correction.left': 'The file has more areas than a question can have. These are left out:',

  'key.none': 'Mark at least one area as right.',
  'key.unknown': 'This area is not one of the question.',
  'key.count':
    'Learners were asked to choose {n}, so a corrected key has {n} as well. For another number change the draft and publish.',
  'key.right': 'The right areas',
  'key.now': 'Right until now',

  'print.mark': 'Mark {n:area|areas}.',
  'statistics.areas': 'Areas',
  'statistics.areas.of': 'Areas of question {n}',
  'statistics.right': 'right',
} as const

/** What a summary of changes calls the parts that only this type has. */
export const HOT_SPOT_PARTS = { image: 'picture', areas: 'areas' } as const
