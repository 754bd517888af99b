"""scikit-image's functions of tensors, which they read as NumPy's arrays."""

import numpy
import pytest

import corepy as np
from libraries.beside_numpy import assert_like

pytest.importorskip("skimage")
from skimage import (
    color,
    exposure,
    feature,
    filters,
    measure,
    morphology,
    restoration,
    segmentation,
    transform,
    util,
)

IMAGE = numpy.random.default_rng(0).random((24, 32))
CALLS = {
    "gaussian": lambda x: filters.gaussian(x, 1),
    "sobel": filters.sobel,
    "otsu": filters.threshold_otsu,
    "median": filters.median,
    "unsharp": filters.unsharp_mask,
    "resize": lambda x: transform.resize(x, (12, 16)),
    "rotate": lambda x: transform.rotate(x, 30),
    "radon": lambda x: transform.radon(x, circle=False),
    "label": lambda x: measure.label(x > 0.5),
    "contour": lambda x: measure.find_contours(x, 0.5)[0],
    "areas": lambda x: [region.area for region in measure.regionprops(measure.label(x > 0.5))],
    "dilation": morphology.dilation,
    "skeleton": lambda x: morphology.skeletonize(x > 0.5),
    "edges": feature.canny,
    "gradients": feature.hog,
    "corners": feature.corner_harris,
    "equalized": exposure.equalize_hist,
    "adaptive": exposure.equalize_adapthist,
    "total variation": restoration.denoise_tv_chambolle,
    "watershed": segmentation.watershed,
    "superpixels": lambda x: segmentation.slic(x, channel_axis=None, n_segments=10),
    "gray": lambda x: color.rgb2gray(color.gray2rgb(x)),
    "bytes": util.img_as_ubyte,
    "blocks": lambda x: util.view_as_blocks(x, (4, 4)),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("image", [IMAGE, IMAGE[::-1, :24].T], ids=["array", "view"])
def test_functions(name, image):
    assert_like(CALLS[name](np.asarray(image)), CALLS[name](image))
